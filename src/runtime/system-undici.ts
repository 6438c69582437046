import type { LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { NO_ANSWER, toNetworkError } from './network-error.ts';
import { NetworkError } from './ports.ts';
import type { ProxyFor, ProxyServer } from './proxy.ts';
import { trustedRoots } from './system-roots.ts';

export type { Dispatcher };

/** Chooses a dispatcher: one for the direct way and one for each proxy, each of which keeps its connections. */
export function chooseDispatcher(
  proxyFor: ProxyFor,
  further: readonly string[],
  lookup: LookupFunction | undefined,
): (url: string) => Dispatcher {
  const tls = verifying(further);
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
  readonly secureContext?: SecureContext;
}

/**
 * Set explicitly: by default NODE_TLS_REJECT_UNAUTHORIZED=0 would switch the verification off. Authorities are named by a
 * context: of a list each connection would parse all of them again, for 50 ms.
 */
function verifying(further: readonly string[]): Verifying {
  if (further.length === 0) return { rejectUnauthorized: true };
  const secureContext = createSecureContext({ ca: trustedRoots(further) });
  return { rejectUnauthorized: true, secureContext };
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

/** The proxy itself could not be reached. */
function proxyDown({ host, variable }: ProxyServer, error: unknown): NetworkError {
  const why = NO_ANSWER[toNetworkError(error).code];
  return new NetworkError('proxy', `the proxy ${host} (${variable}) cannot be used: ${why}`, {
    cause: error,
  });
}

/** The proxy answered, but does not connect to `target`. */
function proxyRefused(
  { host, variable }: ProxyServer,
  status: number,
  target: string,
): NetworkError {
  return new NetworkError(
    'proxy',
    status === 407
      ? `the proxy ${host} (${variable}) asks for a user name and a password, or refuses those given (407)`
      : `the proxy ${host} (${variable}) does not connect to ${target} (${status})`,
  );
}
