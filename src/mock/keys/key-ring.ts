import type { JsonObject } from '../../protocol/json.ts';
import type { Jwk, JwkSet } from '../../protocol/jwk.ts';
import { type DecodedJwt, decodeJwt } from '../../protocol/jwt.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { SigningAlgorithm } from './algorithm.ts';
import {
  type InLine,
  type KeyOwner,
  keepOneKey,
  loadKeys,
  publishedOf,
  type StoredKey,
  signerOf,
  storeFirstKeys,
  storeNextKey,
} from './key-store.ts';
import { generateKey, importSigningKey, type SigningKey, thumbprint } from './signing-key.ts';

interface KeyRingOptions {
  /** The database, with its tables. */
  readonly db: Database;
  readonly owner: KeyOwner;
  readonly clock: Clock;
  readonly random: Random;
  /** What new signatures are made with. Default: ES256. */
  readonly algorithm?: SigningAlgorithm | undefined;
  /** What else it can sign with, so that keys of it are published, too. With RS256 always ES256. */
  readonly also?: readonly SigningAlgorithm[] | undefined;
  /** Private keys to use instead of the store's first ones, for repeatable transcripts; the first one signs. */
  readonly keys?: readonly Jwk[] | undefined;
  /** How long a key is published after another took over: as long as what it signed is good. In ms. */
  readonly keepFor: number;
}

/** A key that will take over. */
interface NextKey {
  readonly kid: string;
  /** When it begins to sign, in milliseconds. */
  readonly signsFrom: number;
  /** Stores it, in place of keys that are over and of one that still waits. Of effect after a `follow`. */
  store(tx: Transaction): Promise<void>;
}

interface RingKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly signsFrom: number;
  readonly key: SigningKey;
}

/** Signs JWTs and publishes the keys that verify them. Keys are imported once. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #algorithm: SigningAlgorithm;
  /** The keys by `kid`. */
  #keys: ReadonlyMap<string, RingKey>;
  #jwks: JwkSet = { keys: [] };
  #generation = '';

  private constructor(
    options: KeyRingOptions,
    algorithm: SigningAlgorithm,
    keys: readonly RingKey[],
  ) {
    this.#options = options;
    this.#algorithm = algorithm;
    this.#keys = byKid(keys);
  }

  /**
   * The owner's keys, made at the first start and shared by every process on the same store.
   * @throws TypeError when a given key is not a private key of one of the algorithms.
   */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const { algorithm, keys } = options;
    const wanted = algorithm ?? (keys?.[0] ? algorithmOf(keys[0]) : 'ES256');
    const stored =
      keys && keys.length > 0
        ? keys.map((jwk, index) => toStored(jwk, 0, -index))
        : await storedKeys(options, [...new Set([wanted, ...alsoOf(options, wanted)])]);
    if (!stored.some((key) => key.algorithm === wanted)) {
      throw new TypeError(`None of the given keys is for ${wanted}.`);
    }
    return new KeyRing(options, wanted, await Promise.all(stored.map(toRingKey)));
  }

  /** What it signs with now; keys of another one may still be published. */
  get algorithm(): SigningAlgorithm {
    return this.#algorithm;
  }

  /**
   * A compact JWS. Every claim is the caller's: nothing is added.
   * @param header in place of its own members. @param algorithm one that it has keys of.
   */
  async sign(
    typ: string,
    claims: JsonObject,
    header?: JsonObject,
    algorithm?: SigningAlgorithm,
  ): Promise<string> {
    return this.#signer(algorithm).key.sign(typ, claims, header);
  }

  /**
   * The public key set (RFC 7517 §5): only members that the algorithm's public keys have. The same object
   * for as long as it has the same keys.
   */
  jwks(): JwkSet {
    const keys = this.#published().map(({ key }) => key.publicJwk);
    const known = this.#jwks.keys;
    const isSame = keys.length === known.length && keys.every((key, at) => key === known[at]);
    if (!isSame) this.#jwks = { keys };
    return this.#jwks;
  }

  /**
   * Header and claims of a JWS that one of these keys signed; the algorithm is the key's, never the
   * header's choice. Times, audience and `typ` are the caller's to check. `undefined` for anything else.
   */
  async verifyOwn(token: string): Promise<DecodedJwt | undefined> {
    const decoded = decodeJwt(token);
    if (decoded === undefined || 'crit' in decoded.header || 'b64' in decoded.header) {
      return undefined;
    }
    const { alg, kid } = decoded.header;
    const signedBy = this.#published().find((each) => each.kid === kid);
    if (signedBy === undefined || alg !== signedBy.algorithm) return undefined;
    return (await signedBy.key.hasSigned(token)) ? decoded : undefined;
  }

  /**
   * Makes the key that takes over. It is published at once and signs after `lead`, so that no verifier meets
   * a signature of a key that it has not fetched; the one before stays published for as long as what it
   * signed is good. A key that still waits has signed nothing, and is replaced.
   * @param lead in milliseconds: at least as long as the key set may be cached.
   */
  async next(lead: number): Promise<NextKey> {
    const { clock, owner, random } = this.#options;
    const now = clock.now();
    const jwk = await generateKey(this.#algorithm, random);
    // Of two that were created in the same millisecond, the later one wins.
    const after = this.#signer().signsFrom + 1;
    const key = toStored(jwk, now, Math.max(now + lead, after));
    return {
      kid: key.kid,
      signsFrom: key.signsFrom,
      // By the time of the transaction: a key of another process that took over meanwhile has signed already.
      store: (tx) => storeNextKey(tx, owner, key, (stored) => this.#over(stored, clock.now())),
    };
  }

  /** Keys of the store that nobody needs once another one takes over: another process may have added some. */
  #over(stored: readonly StoredKey[], now: number): readonly string[] {
    const keys = [...this.#given, ...stored];
    const kept = publishedOf<InLine>(keys, this.#options.keepFor, now).filter(
      ({ algorithm, signsFrom }) => algorithm !== this.#algorithm || signsFrom <= now,
    );
    return stored.map(({ kid }) => kid).filter((kid) => !kept.some((key) => key.kid === kid));
  }

  /** Leaves the key that signs, from the beginning on: whatever the clock does next, there is one. */
  async settle(tx: Transaction): Promise<void> {
    const { kid, algorithm } = this.#signer();
    const firstKeysUpTo = this.#areGiven ? 0 : Number.MIN_SAFE_INTEGER;
    await keepOneKey(tx, this.#options.owner, { kid, algorithm, firstKeysUpTo });
  }

  /** Whether these are the keys of that generation. */
  isAt(generation: string): boolean {
    return generation === this.#generation;
  }

  /** Loads the keys of the store, when its generation has changed. */
  async follow(generation: string): Promise<void> {
    if (this.isAt(generation)) return;
    const stored = await loadKeys(this.#options.db, this.#options.owner);
    const followed = stored.filter(({ signsFrom }) => !this.#areGiven || signsFrom > 0);
    const keys = await Promise.all(
      followed.map(async (key) => {
        const known = this.#keys.get(key.kid);
        return known ? { ...known, signsFrom: key.signsFrom } : toRingKey(key);
      }),
    );
    this.#keys = byKid([...this.#given, ...keys]);
    this.#generation = generation;
  }

  get #areGiven(): boolean {
    return this.#options.keys !== undefined && this.#options.keys.length > 0;
  }

  /** The keys that were given: they stand in for the store's first ones, not for those that took over since. */
  get #given(): readonly RingKey[] {
    return this.#areGiven ? [...this.#keys.values()].filter(({ signsFrom }) => signsFrom <= 0) : [];
  }

  #signer(algorithm = this.#algorithm): RingKey {
    const signer = signerOf([...this.#keys.values()], algorithm, this.#options.clock.now());
    if (signer === undefined) throw new Error('The key ring is empty.');
    return signer;
  }

  #published(): readonly RingKey[] {
    const { clock, keepFor } = this.#options;
    return publishedOf([...this.#keys.values()], keepFor, clock.now());
  }
}

function byKid(keys: readonly RingKey[]): ReadonlyMap<string, RingKey> {
  return new Map(keys.map((key) => [key.kid, key]));
}

async function storedKeys(
  { db, owner, clock, random }: KeyRingOptions,
  algorithms: readonly SigningAlgorithm[],
): Promise<readonly StoredKey[]> {
  const present = await loadKeys(db, owner);
  const missing = algorithms.filter((each) => !present.some(({ algorithm }) => algorithm === each));
  if (missing.length === 0) return present;
  // The first key of a store signs from the beginning of time: there is none before it.
  const fresh = missing.map(async (each) =>
    toStored(await generateKey(each, random), clock.now(), 0),
  );
  return storeFirstKeys(db, owner, await Promise.all(fresh));
}

function alsoOf({ also = [] }: KeyRingOptions, wanted: SigningAlgorithm) {
  return wanted === 'RS256' ? (['ES256', ...also] as const) : also;
}

function toStored(privateJwk: Jwk, createdAt: number, signsFrom: number): StoredKey {
  return {
    kid: thumbprint(privateJwk),
    algorithm: algorithmOf(privateJwk),
    privateJwk,
    createdAt,
    signsFrom,
  };
}

async function toRingKey({ kid, algorithm, privateJwk, signsFrom }: StoredKey): Promise<RingKey> {
  const key = await importSigningKey(privateJwk, algorithm, kid);
  return { kid, algorithm, signsFrom, key };
}

function algorithmOf({ kty, crv, d }: Jwk): SigningAlgorithm {
  if (d !== undefined && kty === 'RSA') return 'RS256';
  if (d !== undefined && kty === 'EC' && crv === 'P-256') return 'ES256';
  if (d !== undefined && kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  throw new TypeError('A signing key must be a private key of P-256, Ed25519 or RSA.');
}
