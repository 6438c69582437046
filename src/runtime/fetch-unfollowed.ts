import { type Fetch, type FetchInit, NetworkError } from './ports.ts';

/**
 * Makes one exchange that ends where it was sent: what is posted, and what is decided by the answer, goes to no URL of
 * a peer's choice. The port is told so each time, since it may be anybody's fetch, and is not believed. A 3xx
 * that can be looked at is the caller's.
 * @throws NetworkError `redirected` for an answer from elsewhere or one that hides where it leads; as `fetch`.
 */
export async function fetchUnfollowed(
  fetch: Fetch,
  url: string,
  init: FetchInit = {},
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { redirected, status, type } = response;
  if (!redirected && type !== 'opaqueredirect' && status !== 0) return response;
  // Not awaited: a stream that does not end need not end its cancelling either.
  response.body?.cancel().catch(() => {});
  throw new NetworkError('redirected', 'The server answered with a redirect.');
}
