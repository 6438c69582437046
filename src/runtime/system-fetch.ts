import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectGuard, Fetch } from './ports.ts';
import { type ProxyFor, readProxies } from './proxy.ts';
import { limitFetch } from './system-limit-fetch.ts';
import { chooseDispatcher } from './system-undici.ts';

export interface SystemFetchOptions {
  /** The time from the request's start to the end of the body, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Default: by HTTPS_PROXY, HTTP_PROXY and NO_PROXY of this process. */
  readonly proxyFor?: ProxyFor;
  /** Authorities to trust beside those that Node trusts, as PEM. */
  readonly ca?: readonly string[];
  /**
   * Asked about each IP address, given or resolved; what it throws is the cause of the NetworkError. A
   * connection goes to an address that it let pass. Behind a proxy, which resolves names itself, it is
   * asked about given ones alone. Default: every address passes.
   */
  readonly guard?: ConnectGuard | undefined;
  /** How the guarded names are resolved. Default: by the system. */
  readonly resolve?: Resolve;
}

/** The fetch port over the global `fetch`, which sends by a dispatcher of undici: no redirects, one deadline over headers and body. */
export function createSystemFetch(options: SystemFetchOptions = {}): Fetch {
  const { guard, proxyFor = readProxies(process.env), resolve = systemResolve, timeout } = options;
  const lookup = guard && guardedLookup(guard, resolve);
  const dispatcherFor = chooseDispatcher(proxyFor, options.ca ?? [], lookup);
  return async (url, init = {}) => {
    // Outside the rest: what it throws is about the settings, not about the network.
    const dispatcher = dispatcherFor(url);
    const send: Fetch = async (_url, limited) => {
      // No lookup is made for what is an IP address already.
      const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0) guard?.(host);
      // The dispatcher of undici, whose declarations are not those of Node.
      return globalThis.fetch(url, { ...limited, dispatcher, redirect: 'manual' } as object);
    };
    return limitFetch(send, timeout)(url, init);
  };
}

/** The IP addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

/**
 * A lookup for a connection, which goes to one of the addresses that it hands over: those that the guard
 * lets pass, of one resolution. A second one could lead elsewhere (DNS rebinding).
 */
function guardedLookup(guard: ConnectGuard, resolve: Resolve): LookupFunction {
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
