/** Every host that the suite invents is below it; no DNS has it (RFC 6761 §6.4). */
const INVENTED = '.invalid';

/**
 * A script that Node loads before an agent's own: connections to hosts that the suite invented arrive at `port` of
 * this machine. Without it, `fetch` of Node would ask DNS, and nobody would see what the agent wanted there.
 */
export function leadInventedHosts(port: number): string {
  return `'use strict';
const { Socket } = require('node:net');
const { connect } = Socket.prototype;
const isInvented = (host) => typeof host === 'string' && host.replace(/\\.$/, '').toLowerCase().endsWith('${INVENTED}');
const led = (options) => ({ ...options, host: '127.0.0.1', port: ${port}, lookup: undefined });
Socket.prototype.connect = function (...args) {
  const [first, second] = args;
  if (Array.isArray(first) && isInvented(first[0]?.host)) first[0] = led(first[0]);
  else if (typeof first === 'object' && isInvented(first?.host)) args[0] = led(first);
  else if (typeof first === 'number' && isInvented(second)) args.splice(0, 2, led({}));
  return connect.apply(this, args);
};
`;
}

/** `NODE_OPTIONS` with the script, after those that the user has set. */
export function nodeOptions(script: string, own: string | undefined): string {
  const path = script.replace(/["\\]/g, '\\$&');
  return [own, `--require="${path}"`].filter(Boolean).join(' ');
}
