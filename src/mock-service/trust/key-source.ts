import type { JSONWebKeySet } from 'jose';
import type { Faults } from '../../mock/index.ts';
import { DAY, isJsonObject, MINUTE, parseJsonObject, SECOND } from '../../protocol/index.ts';
import { type Clock, type Fetch, type Log, readBody } from '../../runtime/index.ts';
import type { ServiceFault } from '../faults/index.ts';

const FRESH_FOR = 5 * MINUTE;
/** A key set is asked for again at most this often, whatever `kid` a stranger sends (JWK-04, A-40). */
const COOL_DOWN = 30 * SECOND;
const FAILURE_COOL_DOWN = 2 * SECOND;
const MAX_BYTES = 64 * 1024;
const TWENTY = 20;

interface Entry {
  keySet: JSONWebKeySet | undefined;
  fetchedAt: number;
  failedAt: number;
  inFlight: Promise<JSONWebKeySet | undefined> | undefined;
  /** Fetches that a fault made beyond what is needed. */
  extra: number;
}

/**
 * Key sets of trusted issuers, one cache entry an address: a `kid` is looked for in its issuer's own
 * set alone. Nothing of a token decides what is fetched.
 */
export class KeySource {
  readonly #fetch: Fetch;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #faults: Faults<ServiceFault> | undefined;
  readonly #entries = new Map<string, Entry>();

  constructor(fetch: Fetch, clock: Clock, log: Log, faults?: Faults<ServiceFault>) {
    this.#fetch = fetch;
    this.#clock = clock;
    this.#log = log;
    this.#faults = faults;
  }

  /**
   * The key set, fetched again when `kid` is not in the one at hand. `undefined`: it cannot be had now.
   * While its issuer is away, an older set serves for the keys that it holds, and for no other.
   */
  async keySet(jwksUri: string, kid: string): Promise<JSONWebKeySet | undefined> {
    const entry = this.#entry(jwksUri);
    const now = this.#clock.now();
    const holds = (set: JSONWebKeySet | undefined) => set?.keys.some((key) => key.kid === kid);
    const known = holds(entry.keySet) ? entry.keySet : undefined;
    if (this.#faults?.has('fetchForEachKid') && !known) return this.#load(jwksUri, entry);
    if (this.#faults?.has('rotationIgnored') && entry.keySet) return entry.keySet;
    if (this.#faults?.has('fetchForTwentyKids') && !known && entry.extra < TWENTY) {
      entry.extra += 1;
      return this.#load(jwksUri, entry);
    }
    const coolDown = this.#faults?.has('fetchWithoutPause') ? 0 : COOL_DOWN;
    if (isWithin(known ? FRESH_FOR : coolDown, entry.fetchedAt, now)) return entry.keySet;
    const pause = this.#faults?.has('failureRemembered') ? DAY : FAILURE_COOL_DOWN;
    if (isWithin(pause, entry.failedAt, now)) return known;
    entry.inFlight ??= this.#load(jwksUri, entry).finally(() => {
      entry.inFlight = undefined;
    });
    return (await entry.inFlight) ?? known;
  }

  /** Has the next call ask its issuer, whatever was learned before. */
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
      extra: 0,
    };
    this.#entries.set(jwksUri, entry);
    return entry;
  }

  async #load(jwksUri: string, entry: Entry): Promise<JSONWebKeySet | undefined> {
    const keySet = await this.#request(jwksUri);
    if (keySet) {
      const kept = this.#faults?.has('withdrawnKeyKept') ? (entry.keySet?.keys ?? []) : [];
      const gone = kept.filter(({ kid }) => keySet.keys.every((key) => key.kid !== kid));
      entry.keySet = { keys: [...keySet.keys, ...gone] };
      entry.fetchedAt = this.#clock.now();
    } else {
      entry.failedAt = this.#clock.now();
      this.#log.warn('trust.keys_unavailable', { jwks_uri: jwksUri });
    }
    return keySet;
  }

  /** Whatever goes wrong, the keys are not to be had: the port may be anybody's fetch. */
  async #request(jwksUri: string): Promise<JSONWebKeySet | undefined> {
    try {
      const response = await this.#fetch(jwksUri, { headers: { accept: 'application/json' } });
      // A fetch that follows redirects has been led somewhere that nobody trusts.
      if (response.status !== 200 || response.redirected) {
        await response.body?.cancel();
        return undefined;
      }
      const body = await readBody(response, MAX_BYTES);
      const parsed = body.ok ? parseJsonObject(body.text) : undefined;
      if (!parsed?.ok || !Array.isArray(parsed.value['keys'])) return undefined;
      return { keys: parsed.value['keys'].filter(isJsonObject) as JSONWebKeySet['keys'] };
    } catch {
      return undefined;
    }
  }
}

/** A clock that was set back makes no answer fresh that lies ahead of it. */
function isWithin(time: number, since: number, now: number): boolean {
  return since <= now && now - since < time;
}
