import { retryAfter } from '../../protocol/index.ts';
import {
  type FetchInit,
  fetchUnfollowed,
  NetworkError,
  type NetworkErrorCode,
} from '../../runtime/index.ts';
import type { Attempt } from './after-attempt.ts';
import { describeRefusedIp } from './refused-ip.ts';
import type { Sender } from './sender.ts';

/** The largest answer that is read, in bytes. */
export const ANSWER_LIMIT = 64 * 1024;

type Received =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly attempt: Attempt };

/** One exchange with a service: an answer to look at, or why the attempt fails here. */
export async function receiveAnswer(
  { clock, fetch }: Pick<Sender, 'clock' | 'fetch'>,
  url: string,
  init: FetchInit,
): Promise<Received> {
  let response: Response;
  try {
    response = await fetchUnfollowed(fetch, url, init);
  } catch (error) {
    if (isRedirect(error)) {
      return { ok: false, attempt: { kind: 'refused', problem: { code: 'redirected' } } };
    }
    const text = describeRefusedIp(error, url);
    if (text !== undefined) {
      return {
        ok: false,
        attempt: { kind: 'refused', problem: { code: 'address_refused', text } },
      };
    }
    return { ok: false, attempt: lost(error) };
  }
  const { status } = response;
  if (status >= 300 && status < 400) {
    discard(response);
    return { ok: false, attempt: { kind: 'refused', problem: { code: 'redirected', status } } };
  }
  if (status === 429 || status >= 500) {
    discard(response);
    const problem = { code: `http_${status}`, status };
    const wait = retryAfter(response.headers, clock.now());
    return { ok: false, attempt: { kind: 'failed', problem, retryAfter: wait } };
  }
  return { ok: true, response };
}

/** A fetch that follows redirects may have reached another server. */
function isRedirect(error: unknown): boolean {
  return error instanceof NetworkError && error.code === 'redirected';
}

/** The exchange broke off before or within the answer. */
export function lost(error: unknown): Attempt {
  const code: NetworkErrorCode = error instanceof NetworkError ? error.code : 'unknown';
  return { kind: 'failed', problem: { code: `network_${code}` } };
}

/** Cancels an unread body; not awaited, since a peer could make that take forever. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
