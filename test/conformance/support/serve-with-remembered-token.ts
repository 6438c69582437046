import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { serve } from '../../../src/mock-service/index.ts';
import { listening } from './listening.ts';

/** A server that takes every call of a connection for one with the token that opened something on it before. */
export const serveWithRememberedToken: typeof serve = async ({ host, port, build }) => {
  const tokens = new WeakMap<Socket, string>();
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    const { authorization: token = tokens.get(socket) } = incoming.headers;
    const isCall = incoming.url?.startsWith('/api/') === true;
    if (isCall && token !== undefined && incoming.headers.authorization === undefined) {
      incoming.rawHeaders.push('authorization', token);
    }
    outgoing.on('finish', () => {
      if (isCall && token !== undefined && outgoing.statusCode < 300) tokens.set(socket, token);
    });
    listener?.(incoming, outgoing);
  });
  const served = await listening(server, { host, port });
  listener = getRequestListener(await build(served.origin), { overrideGlobalObjects: false });
  return served;
};
