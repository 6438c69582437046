import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from 'undici';
import { guardedLookup, type Resolve, systemResolve } from './guarded-lookup.ts';
import { toNetworkError } from './network-error.ts';
import type { ConnectGuard, Fetch } from './ports.ts';
import { type ProxyFor, type ProxyServer, readProxies } from './proxy.ts';
import { proxyDown, proxyRefused } from './proxy-error.ts';
import { type Deadline, startDeadline } from './system-deadline.ts';
import { DEFAULT_TIME_LIMIT } from './system-limit-fetch.ts';
import { trustedRoots } from './system-roots.ts';

export interface SystemFetchOptions {
  /** From the request's start to the end of the body, in milliseconds. Default 30 s. */
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

/** The fetch port over undici: no redirects, one deadline over headers and body. */
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
      const response = await undiciFetch(url, {
        ...init,
        signal: deadline.signal,
        dispatcher: dispatcher.compose(until(deadline)),
        redirect: 'manual',
      });
      // Same shape, nominally another class: undici ships its own declarations of the fetch types.
      return response as unknown as Response;
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

/** One dispatcher for the direct way and one for each proxy: each keeps its connections. */
function chooseDispatcher(
  proxyFor: ProxyFor,
  further: readonly string[],
  lookup: LookupFunction | undefined,
): (url: string) => Dispatcher {
  const ca = further.length === 0 ? undefined : trustedRoots(further);
  const tls = verifying(ca);
  const direct = new Agent({ connect: { ...tls, ...(lookup && { lookup }) } });
  const byProxy = new Map<string, Dispatcher>();
  return (url) => {
    const proxy = proxyFor(url);
    if (proxy === undefined) return direct;
    const known = byProxy.get(proxy.variable);
    if (known !== undefined) return known;
    const agent = createProxyAgent(proxy, tls);
    byProxy.set(proxy.variable, agent);
    return agent;
  };
}

interface Verifying {
  readonly rejectUnauthorized: true;
  readonly ca?: string[];
}

/** Set explicitly: by default NODE_TLS_REJECT_UNAUTHORIZED=0 would switch the verification off. */
function verifying(ca: string[] | undefined): Verifying {
  return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
}

/** Goes through a proxy by CONNECT; a failure of the proxy is distinct from one of the server. */
function createProxyAgent(proxy: ProxyServer, tls: Verifying): Dispatcher {
  return new ProxyAgent({
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, options);
      const connect = pool.connect.bind(pool);
      const connectOrSay = async (request: Parameters<typeof connect>[0]) => {
        const answer = await connect(request).catch((error: unknown) => {
          throw proxyDown(proxy, error);
        });
        if (answer.statusCode === 200) return answer;
        answer.socket.on('error', () => {}).destroy();
        throw proxyRefused(proxy, answer.statusCode, request.path);
      };
      return Object.assign(pool, { connect: connectOrSay });
    },
  });
}
