import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/** What the algorithm hashes by itself is not hashed before (RFC 8032 §5.1.6). */
const DIGEST: Readonly<Record<SigningAlgorithm, string | null>> = {
  ES256: 'sha256',
  RS256: 'sha256',
  EdDSA: null,
};

/** A private key and its public half, imported once. */
export interface SigningKey {
  /** Only members that public keys have, and what the key is for. */
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

/** ECDSA signatures of a JWS are the two numbers, one after the other (RFC 7518 §3.4). */
function raw(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
