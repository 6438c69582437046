import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { toNetworkError } from './network-error.ts';
import type { ConnectGuard, Fetch } from './ports.ts';
import { type ProxyFor, readProxies } from './proxy.ts';
import { type Deadline, startDeadline } from './system-deadline.ts';
import { DEFAULT_TIME_LIMIT } from './system-limit-fetch.ts';
import { chooseDispatcher, type Dispatcher } from './system-undici.ts';

export interface SystemFetchOptions {
  /** The time from the request's start to the end of the body, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Default: by HTTPS_PROXY, HTTP_PROXY and NO_PROXY of this process. */
  readonly proxyFor?: ProxyFor;
  /** Authorities to trust beside those that Node trusts, as PEM. */
  readonly ca?: readonly string[];
  /**
   * Called with each IP address, given or resolved; what it throws is the cause of the NetworkError. A connection goes
   * to an address that it let pass. Behind a proxy, which resolves names itself, it is called with given ones alone.
   * Default: every address passes.
   */
  readonly guard?: ConnectGuard | undefined;
  /** How the guarded names are resolved. Default: by the system. */
  readonly resolve?: Resolve;
}

/** The fetch port over the global `fetch`, which sends by a dispatcher of undici: no redirects, one deadline over headers and body. */
export function createSystemFetch(options: SystemFetchOptions = {}): Fetch {
  const { timeout = DEFAULT_TIME_LIMIT, proxyFor = readProxies(process.env) } = options;
  const { guard, resolve = systemResolve } = options;
  const lookup = guard && guardedLookup(guard, resolve);
  const dispatcherFor = chooseDispatcher(proxyFor, options.ca ?? [], lookup);
  return async (url, init = {}) => {
    // Outside the rest: what it throws is about the settings, not about the network.
    const dispatcher = dispatcherFor(url);
    const deadline = startDeadline(timeout, init.signal);
    try {
      // No lookup is made for what is an IP address already.
      const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0) guard?.(host);
      const sent: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: unknown } = {
        ...init,
        signal: deadline.signal,
        // The one of undici, whose declarations are not those of Node.
        dispatcher: dispatcher.compose(until(deadline)),
        redirect: 'manual',
      };
      return await globalThis.fetch(url, sent as RequestInit);
    } catch (error) {
      deadline.end();
      throw toNetworkError(error, init.signal);
    }
  };
}

/** Holds the time limit until the body has ended: whoever reads it slowly, or not at all, is no reason to. */
function until(deadline: Deadline): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => {
        deadline.end();
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        deadline.end();
        handler.onResponseError?.(controller, error);
      },
    });
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
