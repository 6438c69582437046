import { type JsonObject, parseJsonObject } from '../../protocol/index.ts';
import { type Fetch, fetchUnfollowed, readBody } from '../../runtime/index.ts';

/** The JSON object at a URL. `undefined`: it is unavailable now. */
export type FetchDocument = (url: string) => Promise<JsonObject | undefined>;

const MAX_BYTES = 64 * 1024;

/**
 * Whatever goes wrong, the document is unavailable: a fetch that follows redirects may have been led to a
 * server that is not trusted.
 */
export function documentFetcher(fetch: Fetch): FetchDocument {
  return async (url) => {
    try {
      const response = await fetchUnfollowed(fetch, url, {
        headers: { accept: 'application/json' },
      });
      if (response.status !== 200) {
        response.body?.cancel().catch(() => {});
        return undefined;
      }
      const body = await readBody(response, MAX_BYTES);
      const parsed = body.ok ? parseJsonObject(body.text) : undefined;
      return parsed?.ok ? parsed.value : undefined;
    } catch {
      return undefined;
    }
  };
}
