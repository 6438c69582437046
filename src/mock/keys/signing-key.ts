import { CompactSign, compactVerify, importJWK } from 'jose';
import type { JsonObject } from '../../protocol/json.ts';
import type { Jwk } from '../../protocol/jwk.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/**
 * Signatures of either algorithm have 64 bytes (RFC 7518 §3.4, RFC 8032 §5.1.6). The last letter is one that
 * ends 64 bytes, so that no signature has a second spelling (RFC 4648 §3.5).
 */
const SIGNATURE = /\.[\w-]{85}[AQgw]$/;

/** A private key and its public half, imported once. */
export interface SigningKey {
  /** Only members that public keys have, and what the key is for. */
  readonly publicJwk: Jwk;
  /** A compact JWS (RFC 7515 §7.1). */
  sign(typ: string, claims: JsonObject): Promise<string>;
  /** Whether this key made the signature of a compact JWS. */
  hasSigned(jws: string): Promise<boolean>;
}

export async function importSigningKey(
  privateJwk: Jwk,
  alg: SigningAlgorithm,
  kid: string,
): Promise<SigningKey> {
  const { kty, crv, x, y } = privateJwk;
  // Members are chosen, not removed, so that nothing private can slip through (JWK-01).
  const publicJwk = { kty, crv, x, ...(y !== undefined && { y }), kid, alg, use: 'sig' } as Jwk;
  const privateKey = await importJWK(privateJwk, alg);
  const publicKey = await importJWK(publicJwk, alg);
  return {
    publicJwk,
    sign: (typ, claims) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg, typ, kid })
        .sign(privateKey),
    hasSigned: async (jws) =>
      SIGNATURE.test(jws) &&
      compactVerify(jws, publicKey, { algorithms: [alg] }).then(
        () => true,
        () => false,
      ),
  };
}
