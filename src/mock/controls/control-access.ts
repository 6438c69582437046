import { isLoopbackHost } from '../../protocol/urls.ts';
import { constantTimeEqual } from '../../runtime/hash.ts';
import { remoteIp } from '../http/connection.ts';
import { type HostCheck, MISDIRECTED } from '../http/host-check.ts';
import type { Context } from '../http/request.ts';
import { controlProblem } from './read-control.ts';

interface ControlAccessRules {
  readonly token: string;
  /** Whoever starts it vouches for the network, such as that of a CI job and its service container. */
  readonly allowRemote?: boolean;
  /** The only `Origin` that a call may have. */
  readonly ownOrigin: string;
  /** The rule of all other paths, also while these take every host for theirs. */
  readonly isOurHost: HostCheck;
}

/**
 * Admits only a program of this machine, or of any where that is allowed, that has the token: a page in a browser, also one
 * that a rebound name leads here, is refused before anything is looked at.
 * @throws WireProblem 421 for a host that is none of ours, 403 for another machine or an `Origin` that
 * is none of ours, 401 without the token.
 */
export function checkControlAccess(
  c: Context,
  { isOurHost, ownOrigin, token, allowRemote = false }: ControlAccessRules,
): void {
  if (!isOurHost(c.req.raw)) throw controlProblem('misdirected_request', MISDIRECTED);
  if (!allowRemote) demandThisMachine(c);
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== ownOrigin) {
    throw controlProblem('forbidden', 'The controls accept no call from another origin.');
  }
  const sent = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  if (!constantTimeEqual(sent, token)) {
    throw controlProblem('invalid_token', 'Send the control token as Authorization: Bearer.');
  }
}

/** @throws WireProblem 403 for another machine. */
export function demandThisMachine(c: Context): void {
  const peer = remoteIp(c.req.raw);
  if (peer !== undefined && !isLoopbackIp(peer)) {
    throw controlProblem('forbidden', 'The controls accept calls from this machine only.');
  }
}

/** Whether a socket's address is the machine's own: an IPv4 address may come mapped (RFC 4291 §2.5.5.2). */
function isLoopbackIp(ip: string): boolean {
  return isLoopbackHost(ip.replace(/^::ffff:/, ''));
}
