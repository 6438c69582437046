import { isJsonObject, type JwkSet, MINUTE, SECOND } from '../../protocol/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import type { FetchDocument } from './fetch-document.ts';

/** How long a key set is not asked for again, in milliseconds. */
export const KEY_SET_PAUSES = {
  /** After an answer, while it holds the key that is looked for. */
  fresh: 5 * MINUTE,
  /** After an answer, whatever `kid` a stranger sends (JWK-04, A-40). */
  unknownKey: 30 * SECOND,
  /** After a failure. */
  failure: 2 * SECOND,
} as const;

interface KeySourceOptions {
  readonly fetch: FetchDocument;
  readonly clock: Clock;
  readonly log: Log;
}

interface Entry {
  keySet: JwkSet | undefined;
  fetchedAt: number;
  failedAt: number;
  inFlight: Promise<JwkSet | undefined> | undefined;
}

/**
 * Key sets of trusted issuers, one cache entry a URL: a `kid` is looked for in its issuer's own
 * set alone. Nothing of a token decides what is fetched.
 */
export class KeySource {
  readonly #options: KeySourceOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: KeySourceOptions) {
    this.#options = options;
  }

  /**
   * The key set, fetched again when `kid` is not in the one at hand. `undefined`: it is unavailable now.
   * While its issuer is unavailable, an older set serves for the keys that it holds, and for no other.
   */
  async keySet(jwksUri: string, kid: string): Promise<JwkSet | undefined> {
    const entry = this.#entry(jwksUri);
    const { clock } = this.#options;
    const { fresh, unknownKey, failure } = KEY_SET_PAUSES;
    const now = clock.now();
    const known = holdsKey(entry.keySet, kid) ? entry.keySet : undefined;
    if (isWithin(known ? fresh : unknownKey, entry.fetchedAt, now)) return entry.keySet;
    if (isWithin(failure, entry.failedAt, now)) return known;
    entry.inFlight ??= this.#load(jwksUri, entry).finally(() => {
      entry.inFlight = undefined;
    });
    return (await entry.inFlight) ?? known;
  }

  /** Whether the set at hand has the key. */
  holds(jwksUri: string, kid: string): boolean {
    return holdsKey(this.#entries.get(jwksUri)?.keySet, kid);
  }

  /** Forgets the key set: the next call fetches it. */
  forget(jwksUri: string): void {
    this.#entries.delete(jwksUri);
  }

  #entry(jwksUri: string): Entry {
    const known = this.#entries.get(jwksUri);
    if (known) return known;
    const entry: Entry = {
      keySet: undefined,
      fetchedAt: Number.NEGATIVE_INFINITY,
      failedAt: Number.NEGATIVE_INFINITY,
      inFlight: undefined,
    };
    this.#entries.set(jwksUri, entry);
    return entry;
  }

  async #load(jwksUri: string, entry: Entry): Promise<JwkSet | undefined> {
    const { clock, fetch, log } = this.#options;
    const fetched = await fetch(jwksUri);
    const keys = fetched.ok ? fetched.document['keys'] : undefined;
    if (!Array.isArray(keys)) {
      entry.failedAt = clock.now();
      log.warn('trust.keys_unavailable', { jwks_uri: jwksUri });
      return undefined;
    }
    entry.keySet = { keys: keys.filter(isJsonObject) as JwkSet['keys'] };
    entry.fetchedAt = clock.now();
    return entry.keySet;
  }
}

export function holdsKey(keySet: JwkSet | undefined, kid: string): boolean {
  return keySet?.keys.some((key) => key.kid === kid) ?? false;
}

/** An answer from the future (the clock was set back) is not fresh. */
export function isWithin(time: number, since: number, now: number): boolean {
  return since <= now && now - since < time;
}
