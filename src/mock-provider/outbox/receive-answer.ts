import { describeRefusedIp } from '../../mock/http/refused-ip.ts';
import { retryAfter } from '../../protocol/http-date.ts';
import { fetchUnfollowed } from '../../runtime/fetch-unfollowed.ts';
import {
  type Clock,
  type Fetch,
  type FetchInit,
  NetworkError,
  type NetworkErrorCode,
} from '../../runtime/ports.ts';
import type { Attempt } from './outbox-entry.ts';

/** The largest answer that is read, in bytes. */
export const ANSWER_LIMIT = 64 * 1024;

/** An attempt ends here. */
export class AttemptEnded extends Error {
  override readonly name = 'AttemptEnded';
  readonly attempt: Attempt;

  constructor(attempt: Attempt) {
    super('The attempt to send an event ended.');
    this.attempt = attempt;
  }
}

/** An attempt that would be refused again: by the service, or by this provider. */
export function refused(code: string, more: { status?: number; text?: string } = {}): AttemptEnded {
  return new AttemptEnded({ kind: 'refused', problem: { code, ...more } });
}

/**
 * Makes one exchange with a service, whose answer is looked at.
 * @throws AttemptEnded where the attempt fails here, which is for the port's own errors `lost`.
 */
export async function receiveAnswer(
  { clock, fetch }: { readonly clock: Clock; readonly fetch: Fetch },
  url: string,
  init: FetchInit,
): Promise<Response> {
  const response = await fetchUnfollowed(fetch, url, init).catch((error: unknown) => {
    const text = describeRefusedIp(error, url);
    throw text === undefined ? error : refused('address_refused', { text });
  });
  const { status } = response;
  if (status >= 300 && status < 400) {
    discard(response);
    throw refused('redirected', { status });
  }
  if (status === 429 || status >= 500) {
    discard(response);
    throw new AttemptEnded({
      kind: 'failed',
      problem: { code: `http_${status}`, status },
      retryAfter: retryAfter(response.headers, clock.now()),
    });
  }
  return response;
}

/** What an attempt came to that threw: the exchange broke off before or within the answer. */
export function lost(error: unknown): Attempt {
  if (error instanceof AttemptEnded) return error.attempt;
  const code: NetworkErrorCode = error instanceof NetworkError ? error.code : 'unknown';
  // A fetch that follows redirects may have reached another server.
  if (code === 'redirected') return { kind: 'refused', problem: { code } };
  return { kind: 'failed', problem: { code: `network_${code}` } };
}

/** Cancels an unread body; not awaited, since a peer could make that take forever. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
