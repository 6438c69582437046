import { type Dispatcher, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { toNetworkError } from './network-error.ts';
import type { Fetch } from './ports.ts';

export interface SystemFetchOptions {
  /** From the request's start to the end of the body, in milliseconds. Default 30 s. */
  readonly timeout?: number;
  /** Default: direct, or through HTTPS_PROXY and HTTP_PROXY as NO_PROXY allows. */
  readonly dispatcher?: Dispatcher;
}

/** The fetch port over undici: no redirects, one deadline over headers and body. */
export function createSystemFetch(options: SystemFetchOptions = {}): Fetch {
  const timeout = options.timeout ?? 30_000;
  const dispatcher = options.dispatcher ?? new EnvHttpProxyAgent();
  return async (url, init = {}) => {
    const deadline = AbortSignal.timeout(timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      const response = await undiciFetch(url, { ...init, signal, dispatcher, redirect: 'manual' });
      // Same shape, nominally another class: undici ships its own declarations of the fetch types.
      return response as unknown as Response;
    } catch (error) {
      throw toNetworkError(error, init.signal, deadline);
    }
  };
}
