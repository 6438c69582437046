import { clockOffset } from '../../agent/http/server-time.ts';
import {
  type Clock,
  type Fetch,
  NetworkError,
  type NetworkErrorCode,
} from '../../runtime/ports.ts';

/** How an exchange went. */
export interface Observed {
  readonly url: string;
  /** Why there was no answer. */
  readonly problem: NetworkErrorCode | undefined;
  /** The server's clock minus ours, in milliseconds; `undefined` when it did not show it. */
  readonly clockOffset: number | undefined;
}

/** The fetch port, and what was seen through it. */
export function observeFetch(fetch: Fetch, clock: Clock) {
  const seen: Observed[] = [];
  const observed: Fetch = async (url, init) => {
    try {
      const response = await fetch(url, init);
      const offset = clockOffset(response.headers, clock.now());
      seen.push({ url, problem: undefined, clockOffset: offset });
      return response;
    } catch (error) {
      const problem = error instanceof NetworkError ? error.code : 'unknown';
      seen.push({ url, problem, clockOffset: undefined });
      throw error;
    }
  };
  return { fetch: observed, seen };
}
