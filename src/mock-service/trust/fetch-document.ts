import { type JsonObject, parseJsonObject } from '../../protocol/json.ts';
import { fetchUnfollowed } from '../../runtime/fetch-unfollowed.ts';
import { type Fetch, NetworkError } from '../../runtime/ports.ts';
import { readBody } from '../../runtime/read-body.ts';

/**
 * `missing`: there is none, or nothing that could be one. `unavailable`: it may be there later. `location`: where a
 * redirect leads, as it was sent.
 */
export type FetchedDocument =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly problem: 'missing' | 'unavailable'; readonly location?: string };

/** The JSON object at a URL. */
export type FetchDocument = (url: string) => Promise<FetchedDocument>;

const MAX_BYTES = 64 * 1024;

const MISSING = { ok: false, problem: 'missing' } as const;
const UNAVAILABLE: FetchedDocument = { ok: false, problem: 'unavailable' };

/** Redirects are not followed: one may lead to a server that is not trusted. */
export function documentFetcher(fetch: Fetch, maxBytes = MAX_BYTES): FetchDocument {
  return async (url) => {
    try {
      return await read(fetch, url, maxBytes);
    } catch (error) {
      const isRedirect = error instanceof NetworkError && error.code === 'redirected';
      return isRedirect ? MISSING : UNAVAILABLE;
    }
  };
}

async function read(fetch: Fetch, url: string, maxBytes: number): Promise<FetchedDocument> {
  const response = await fetchUnfollowed(fetch, url, {
    headers: { accept: 'application/json' },
  });
  const { body, headers, status } = response;
  if (status !== 200) {
    body?.cancel().catch(() => {});
    const location = status >= 300 && status < 400 ? headers.get('location') : null;
    if (location !== null) return { ...MISSING, location };
    return isPassing(status) ? UNAVAILABLE : MISSING;
  }
  const text = await readBody(response, maxBytes);
  const parsed = text.ok ? parseJsonObject(text.text) : undefined;
  return parsed?.ok ? { ok: true, document: parsed.value } : MISSING;
}

/** Request Timeout, Too Many Requests, and what is wrong with a server (RFC 9110 §15.6, RFC 6585 §4). */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}
