import { type JsonObject, parseJsonObject } from '../../protocol/index.ts';
import { type Fetch, readBody } from '../../runtime/index.ts';

/** The JSON object at an address. `undefined`: it cannot be had now. */
export type FetchDocument = (address: string) => Promise<JsonObject | undefined>;

const MAX_BYTES = 64 * 1024;

/** Whatever goes wrong, the document is not to be had: the port may be anybody's fetch. */
export function documentFetcher(fetch: Fetch): FetchDocument {
  return async (address) => {
    try {
      const response = await fetch(address, { headers: { accept: 'application/json' } });
      // A fetch that follows redirects has been led somewhere that nobody trusts.
      if (response.status !== 200 || response.redirected) {
        await response.body?.cancel();
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
