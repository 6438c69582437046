import { toNetworkError } from './network-error.ts';
import { NetworkError } from './ports.ts';
import type { ProxyServer } from './proxy.ts';

const WHY = {
  refused: 'nothing listens there',
  not_found: 'its host name is unknown',
  timeout: 'it did not answer in time',
  tls: 'its certificate is not trusted',
  not_tls: 'it does not speak TLS',
  reset: 'the connection broke off',
  large_head: 'the headers of its answer are too large',
  redirected: 'it answered with a redirect',
  aborted: 'the request was aborted',
  proxy: 'the connection failed',
  unknown: 'the connection failed',
} as const;

/** The proxy itself could not be reached. */
export function proxyDown({ host, variable }: ProxyServer, error: unknown): NetworkError {
  const why = WHY[toNetworkError(error).code];
  return new NetworkError('proxy', `the proxy ${host} (${variable}) cannot be used: ${why}`, {
    cause: error,
  });
}

/** The proxy answered, but does not connect to `target`. */
export function proxyRefused(
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
