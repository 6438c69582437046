import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectGuard } from './ports.ts';

/** The IP addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

/**
 * A lookup for a connection, which goes to one of the addresses that it hands over: those that the guard
 * lets pass, of one resolution. A second one could lead elsewhere (DNS rebinding).
 */
export function guardedLookup(guard: ConnectGuard, resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    const finding = resolve(hostname).then((ips) => passing(ips, guard));
    finding.then(
      (ips) => {
        const found = ips.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup'), []),
    );
  };
}

/** @throws what the guard throws, when it lets none pass. */
function passing(ips: readonly string[], guard: ConnectGuard): readonly string[] {
  let refusal: unknown = Object.assign(new Error('The host has no IP address.'), {
    code: 'ENOTFOUND',
  });
  const passed = ips.filter((ip) => {
    try {
      guard(ip);
      return true;
    } catch (error) {
      refusal = error;
      return false;
    }
  });
  if (passed.length === 0) throw refusal;
  return passed;
}
