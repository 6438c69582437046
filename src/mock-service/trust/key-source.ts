import { MINUTE, SECOND } from '../../protocol/durations.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { Jwk, JwkSet } from '../../protocol/jwk.ts';
import type { Clock, Log } from '../../runtime/ports.ts';
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

/** What was fetched last from one place; fetched again as the pauses allow, by one call for all who wait. */
export class Kept<T> {
  value: T | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #inFlight: Promise<T | undefined> | undefined;

  /**
   * The value that counts now. `undefined`: it is unavailable, and {@link Kept.value} is an older one.
   * @param isWanted whether a value has what is looked for.
   * @param fetch resolves with `undefined` when it is unavailable.
   */
  async current(
    clock: Clock,
    isWanted: (value: T) => boolean,
    fetch: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { fresh, unknownKey, failure } = KEY_SET_PAUSES;
    const now = clock.now();
    const isKnown = this.value !== undefined && isWanted(this.value);
    if (isWithin(isKnown ? fresh : unknownKey, this.#fetchedAt, now)) return this.value;
    if (isWithin(failure, this.#failedAt, now)) return undefined;
    this.#inFlight ??= this.#fetch(clock, fetch).finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #fetch(clock: Clock, fetch: () => Promise<T | undefined>): Promise<T | undefined> {
    const value = await fetch();
    if (value === undefined) {
      this.#failedAt = clock.now();
    } else {
      this.value = value;
      this.#fetchedAt = clock.now();
    }
    return value;
  }
}

/**
 * Key sets of trusted issuers, one cache entry a URL: a `kid` is looked for in its issuer's own
 * set alone. Nothing of a token decides what is fetched.
 */
export class KeySource {
  readonly #options: KeySourceOptions;
  readonly #sets = new Map<string, Kept<JwkSet>>();

  constructor(options: KeySourceOptions) {
    this.#options = options;
  }

  /**
   * The key set, fetched again when `kid` is not in the one at hand. `undefined`: it is unavailable now.
   * While its issuer is unavailable, an older set serves for the keys that it holds, and for no other.
   */
  async keySet(jwksUri: string, kid: string): Promise<JwkSet | undefined> {
    const kept = this.#sets.get(jwksUri) ?? new Kept<JwkSet>();
    this.#sets.set(jwksUri, kept);
    const current = await kept.current(
      this.#options.clock,
      (keySet) => holdsKey(keySet, kid),
      () => this.#load(jwksUri),
    );
    return current ?? (holdsKey(kept.value, kid) ? kept.value : undefined);
  }

  /** Whether the set at hand has the key. */
  holds(jwksUri: string, kid: string): boolean {
    return holdsKey(this.#sets.get(jwksUri)?.value, kid);
  }

  /** Forgets the key set: the next call fetches it. */
  forget(jwksUri: string): void {
    this.#sets.delete(jwksUri);
  }

  async #load(jwksUri: string): Promise<JwkSet | undefined> {
    const fetched = await this.#options.fetch(jwksUri);
    const keys = fetched.ok ? fetched.document['keys'] : undefined;
    if (Array.isArray(keys)) return { keys: keys.filter(isJsonObject) as JwkSet['keys'] };
    this.#options.log.warn('trust.keys_unavailable', { jwks_uri: jwksUri });
    return undefined;
  }
}

export function holdsKey(
  keySet: { readonly keys: readonly Jwk[] } | undefined,
  kid: string,
): boolean {
  return keySet?.keys.some((key) => key.kid === kid) ?? false;
}

/** An answer from the future (the clock was set back) is not fresh. */
function isWithin(time: number, since: number, now: number): boolean {
  return since <= now && now - since < time;
}
