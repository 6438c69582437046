import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/** What the algorithm hashes by itself is not hashed before (RFC 8032 §5.1.6). */
const DIGEST: Readonly<Record<SigningAlgorithm, string | null>> = {
  ES256: 'sha256',
  RS256: 'sha256',
  EdDSA: null,
};

/** A private key and its public half, imported once. */
export interface SigningKey {
  /** The public key, with only the members that public keys have, and what it is for. */
  readonly publicJwk: Jwk;
  /** A compact JWS (RFC 7515 §7.1). @param header in place of, and beside `alg`, `typ` and `kid`. */
  sign(typ: string, claims: JsonObject, header?: JsonObject): Promise<string>;
  /** Whether this key made the signature of a compact JWS. */
  hasSigned(jws: string): Promise<boolean>;
}

/** Its signatures are made and checked on this thread: the way to jose's and back takes longer than they do. */
export async function importSigningKey(
  privateJwk: Jwk,
  alg: SigningAlgorithm,
  kid: string,
): Promise<SigningKey> {
  // Members are chosen, not removed, so that nothing private can slip through (JWK-01).
  const publicJwk = { ...publicMembers(privateJwk), kid, alg, use: 'sig' } as Jwk;
  const privateKey = raw(createPrivateKey({ key: { ...privateJwk }, format: 'jwk' }));
  const publicKey = raw(createPublicKey({ key: { ...publicJwk }, format: 'jwk' }));
  return {
    publicJwk,
    sign: async (typ, claims, header) => {
      const input = `${encoded({ alg, typ, kid, ...header })}.${encoded(claims)}`;
      const signature = sign(DIGEST[alg], Buffer.from(input, 'latin1'), privateKey);
      return `${input}.${signature.toString('base64url')}`;
    },
    hasSigned: async (jws) => {
      const end = jws.lastIndexOf('.');
      const text = jws.slice(end + 1);
      const signature = Buffer.from(text, 'base64url');
      // No signature has a second spelling (RFC 4648 §3.5).
      if (signature.toString('base64url') !== text) return false;
      const input = Buffer.from(jws.slice(0, end), 'latin1');
      return verify(DIGEST[alg], input, publicKey, signature);
    },
  };
}

function publicMembers({ kty, crv, x, y, n, e }: Jwk): JsonObject {
  if (kty === 'RSA') return { kty, n, e };
  return { kty, crv, x, ...(y !== undefined && { y }) };
}

/** The SHA-256 thumbprint of a key (RFC 7638 §3): its public members are the required ones, in the order of their names. */
export function thumbprint(jwk: Jwk): string {
  const members = publicMembers(jwk);
  return sha256(JSON.stringify(members, Object.keys(members).sort()));
}

/** ECDSA signatures of a JWS are the two numbers, one after the other (RFC 7518 §3.4). */
function raw(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** PKCS #8 of Ed25519 up to the 32 secret bytes (RFC 8410 §7). */
const ED25519_PREFIX = '302e020100300506032b657004220420';
const SECRET_BYTES = 32;

/**
 * A fresh private key from the Random port, so that seeded runs have the same keys; one for RS256, which takes a tenth of
 * a second, from the machine's own source.
 */
export async function generateKey(algorithm: SigningAlgorithm, random: Random): Promise<Jwk> {
  if (algorithm === 'RS256') {
    return exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey);
  }
  const secret = random.bytes(SECRET_BYTES);
  if (algorithm === 'ES256') return p256Key(secret);
  const der = Buffer.concat([Buffer.from(ED25519_PREFIX, 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ format: 'jwk' }) as Jwk;
}

/**
 * Makes a key of a secret. From PKCS #8 without the public key it would take ten times as long, and a mock makes one at
 * each start.
 */
function p256Key(secret: Uint8Array): Jwk {
  const curve = createECDH('prime256v1');
  // A number outside the curve's order is refused; it comes up once in 2^32 keys.
  curve.setPrivateKey(secret);
  // An uncompressed point (SEC 1 §2.3.3): 4, x and y.
  const point = curve.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), Buffer.from(secret)].map((bytes) =>
    bytes.toString('base64url'),
  );
  return { kty: 'EC', x, y, crv: 'P-256', d } as Jwk;
}
