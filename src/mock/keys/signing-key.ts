import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/** What the algorithm hashes by itself is not hashed before (RFC 8032 §5.1.6). */
const DIGEST: Readonly<Record<SigningAlgorithm, string | null>> = { ES256: 'sha256', EdDSA: null };

/**
 * Signatures of either algorithm have 64 bytes (RFC 7518 §3.4, RFC 8032 §5.1.6). The last letter is one that
 * ends 64 bytes, so that no signature has a second spelling (RFC 4648 §3.5).
 */
const SIGNATURE = /^[\w-]{85}[AQgw]$/;

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
  const { kty, crv, x, y } = privateJwk;
  // Members are chosen, not removed, so that nothing private can slip through (JWK-01).
  const publicJwk = { kty, crv, x, ...(y !== undefined && { y }), kid, alg, use: 'sig' } as Jwk;
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
      const signature = jws.slice(end + 1);
      if (!SIGNATURE.test(signature)) return false;
      const input = Buffer.from(jws.slice(0, end), 'latin1');
      return verify(DIGEST[alg], input, publicKey, Buffer.from(signature, 'base64url'));
    },
  };
}

/** ECDSA signatures of a JWS are the two numbers, one after the other (RFC 7518 §3.4). */
function raw(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
