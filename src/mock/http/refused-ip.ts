import { describeHost, type HostReach, ipReach, isAsFar } from '../../protocol/host-reach.ts';
import type { ConnectGuard } from '../../runtime/ports.ts';

/** A name led to an IP address that it may not have. */
class RefusedIp extends Error {
  override readonly name = 'RefusedIp';
  readonly ip: string;

  constructor(ip: string) {
    super(`Nothing is sent to ${ip}.`);
    this.ip = ip;
  }
}

/** Lets a connection go no closer than a server of that reach is itself (RFC 6890). */
export function receiverGuard(own: HostReach): ConnectGuard {
  return guardedBy((ip) => isAsFar(own, ipReach(ip)));
}

/** Lets a connection go to these IP addresses alone. */
export function guardedBy(mayConnect: (ip: string) => boolean): ConnectGuard {
  return (ip) => {
    if (!mayConnect(ip)) throw new RefusedIp(ip);
  };
}

/** `its host service.example is at 10.0.0.5 (private)`; `undefined` for another error. */
export function describeRefusedIp(error: unknown, url: string): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RefusedIp) {
      return `its host ${new URL(url).hostname} is at ${describeHost(at.ip)}`;
    }
  }
  return undefined;
}
