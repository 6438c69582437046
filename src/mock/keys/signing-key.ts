import {
  KeyObject,
  type SignKeyObjectInput,
  sign,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto';
import { importJWK } from 'jose';
import type { JsonObject, Jwk } from '../../protocol/index.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/** What the algorithm hashes by itself is not hashed before (RFC 8032 §5.1.6). */
const DIGEST: Readonly<Record<SigningAlgorithm, string | null>> = { ES256: 'sha256', EdDSA: null };

/**
 * Signatures of either algorithm have 64 bytes (RFC 7518 §3.4, RFC 8032 §5.1.6). The last letter is one that
 * ends 64 bytes, so that no signature has a second spelling (RFC 4648 §3.5).
 */
const SIGNATURE = /^[\w-]{85}[AQgw]$/;

/** So many kinds of JWT have their header kept: those that a mock signs are a handful. */
const MAX_HEADERS = 16;

/**
 * A private key and its public half, imported once. It signs and verifies at once, on this thread: the way
 * to a thread pool and back takes longer than the signature.
 */
export class SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** Only members that public keys have, and what the key is for. */
  readonly publicJwk: Jwk;
  readonly #privateKey: SignKeyObjectInput;
  readonly #publicKey: VerifyKeyObjectInput;
  /** The encoded header by `typ`. */
  readonly #headers = new Map<string, string>();

  private constructor(kid: string, algorithm: SigningAlgorithm, publicJwk: Jwk, keys: KeyObjects) {
    this.kid = kid;
    this.algorithm = algorithm;
    this.publicJwk = { ...publicJwk, kid, alg: algorithm, use: 'sig' };
    this.#privateKey = { key: keys.privateKey, dsaEncoding: 'ieee-p1363' };
    this.#publicKey = { key: keys.publicKey, dsaEncoding: 'ieee-p1363' };
  }

  static async import(
    privateJwk: Jwk,
    { algorithm, kid }: Pick<SigningKey, 'algorithm' | 'kid'>,
  ): Promise<SigningKey> {
    const publicJwk = publicPart(privateJwk);
    return new SigningKey(kid, algorithm, publicJwk, {
      privateKey: await importKey(privateJwk, algorithm),
      publicKey: await importKey(publicJwk, algorithm),
    });
  }

  /** A compact JWS (RFC 7515 §7.1). */
  sign(typ: string, claims: JsonObject): string {
    const input = `${this.#header(typ)}.${base64url(JSON.stringify(claims))}`;
    const signature = sign(DIGEST[this.algorithm], ascii(input), this.#privateKey);
    return `${input}.${signature.toString('base64url')}`;
  }

  /** Whether this key made the signature of a compact JWS. Its header is the caller's to check. */
  hasSigned(jws: string): boolean {
    const end = jws.lastIndexOf('.');
    const signature = jws.slice(end + 1);
    if (!SIGNATURE.test(signature)) return false;
    const bytes = Buffer.from(signature, 'base64url');
    return verify(DIGEST[this.algorithm], ascii(jws.slice(0, end)), this.#publicKey, bytes);
  }

  #header(typ: string): string {
    const known = this.#headers.get(typ);
    if (known !== undefined) return known;
    const header = base64url(JSON.stringify({ alg: this.algorithm, typ, kid: this.kid }));
    if (this.#headers.size < MAX_HEADERS) this.#headers.set(typ, header);
    return header;
  }
}

interface KeyObjects {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Members are chosen, not removed, so that nothing private can slip through (JWK-01). */
function publicPart({ kty, crv, x, y }: Jwk): Jwk {
  return { kty, crv, x, ...(y !== undefined && { y }) } as Jwk;
}

async function importKey(jwk: Jwk, algorithm: SigningAlgorithm): Promise<KeyObject> {
  const key = await importJWK(jwk, algorithm, { extractable: true });
  if (key instanceof Uint8Array) throw new TypeError('A signing key is not symmetric.');
  return KeyObject.from(key);
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
