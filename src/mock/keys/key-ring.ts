import {
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  SignJWT,
} from 'jose';
import { decodeJwt, type JsonObject } from '../../protocol/index.ts';
import type { Clock, Random } from '../../runtime/index.ts';
import { type Database, retryWhileBusy } from '../store/index.ts';
import type { SigningAlgorithm } from './algorithm.ts';
import { generateKey } from './generate-key.ts';
import { type KeyOwner, loadKeys, type StoredKey, storeFirstKeys } from './key-store.ts';

export interface KeyRingOptions {
  /** Migrated. */
  readonly db: Database;
  readonly owner: KeyOwner;
  readonly clock: Clock;
  readonly random: Random;
  /** What new signatures are made with. Default: ES256. */
  readonly algorithm?: SigningAlgorithm;
  /** Private keys to use instead of the store's, for repeatable transcripts; the first one signs. */
  readonly keys?: readonly JWK[];
}

interface RingKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Signs JWTs and publishes the keys that verify them. Keys are imported once. */
export class KeyRing {
  readonly #keys: readonly RingKey[];
  readonly #signer: RingKey;

  private constructor(keys: readonly RingKey[], signer: RingKey) {
    this.#keys = keys;
    this.#signer = signer;
  }

  /**
   * The owner's keys, made at the first start and shared by every process on the same store.
   * @throws TypeError when a given key is not a private key of ES256 or EdDSA.
   */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const { clock, algorithm, keys } = options;
    const wanted = algorithm ?? (keys?.[0] ? algorithmOf(keys[0]) : 'ES256');
    const stored =
      keys && keys.length > 0
        ? await Promise.all(keys.map((jwk) => toStored(jwk, clock.now())))
        : await storedKeys(options, wanted);
    const ring = await Promise.all(stored.map(toRingKey));
    const signer = ring.find((key) => key.algorithm === wanted);
    if (signer === undefined) throw new TypeError(`None of the given keys is for ${wanted}.`);
    return new KeyRing(ring, signer);
  }

  /** A compact JWS. Every claim is the caller's: nothing is added, no clock is read. */
  async sign(typ: string, claims: JsonObject): Promise<string> {
    const { algorithm, kid, privateKey } = this.#signer;
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ, kid })
      .sign(privateKey);
  }

  /** The public key set (RFC 7517 §5): only members that the algorithm's public keys have. */
  jwks(): JSONWebKeySet {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) };
  }

  /**
   * The claims of a JWS that one of these keys signed; the algorithm is the key's, never the header's
   * choice. Times, audience and `typ` are the caller's to check. `undefined` for anything else.
   */
  async verifyOwn(token: string): Promise<JsonObject | undefined> {
    const decoded = decodeJwt(token);
    if (decoded === undefined || 'crit' in decoded.header || 'b64' in decoded.header) {
      return undefined;
    }
    const key = this.#keys.find(({ kid }) => kid === decoded.header['kid']);
    if (key === undefined) return undefined;
    try {
      await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] });
      return decoded.payload;
    } catch {
      return undefined;
    }
  }
}

async function storedKeys(
  { db, owner, clock, random }: KeyRingOptions,
  algorithm: SigningAlgorithm,
): Promise<readonly StoredKey[]> {
  const present = await retryWhileBusy(() => loadKeys(db, owner));
  if (present.some((key) => key.algorithm === algorithm)) return present;
  const fresh = await toStored(await generateKey(algorithm, random), clock.now());
  return retryWhileBusy(() => storeFirstKeys(db, owner, [fresh]));
}

async function toStored(privateJwk: JWK, createdAt: number): Promise<StoredKey> {
  return {
    kid: await calculateJwkThumbprint(privateJwk),
    algorithm: algorithmOf(privateJwk),
    privateJwk,
    createdAt,
  };
}

async function toRingKey({ kid, algorithm, privateJwk }: StoredKey): Promise<RingKey> {
  const publicMembers = publicPart(privateJwk);
  return {
    kid,
    algorithm,
    publicJwk: { ...publicMembers, kid, alg: algorithm, use: 'sig' },
    privateKey: await importKey(privateJwk, algorithm),
    publicKey: await importKey(publicMembers, algorithm),
  };
}

/** Members are chosen, not removed, so that nothing private can slip through (JWK-01). */
function publicPart({ kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, ...(y !== undefined && { y }) } as JWK;
}

async function importKey(jwk: JWK, algorithm: SigningAlgorithm): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new TypeError('A signing key is not symmetric.');
  return key;
}

function algorithmOf({ kty, crv, d }: JWK): SigningAlgorithm {
  if (d !== undefined && kty === 'EC' && crv === 'P-256') return 'ES256';
  if (d !== undefined && kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  throw new TypeError('A signing key must be a private key of P-256 or Ed25519.');
}
