import { randomUUID } from 'node:crypto';
import { forgeJwt } from '../../jwt/forge.ts';
import { makeKey } from '../../jwt/key.ts';

/** A proof of a new key for a POST (RFC 9449 §4.2), and the thumbprint of the key. @param now in milliseconds. */
export function dpopProof(
  htu: string,
  now: number,
): { readonly proof: string; readonly jkt: string } {
  const key = makeKey();
  const { crv, kty, x, y } = key.jwk;
  const claims = { jti: randomUUID(), htm: 'POST', htu, iat: Math.floor(now / 1000) };
  const header = { typ: 'dpop+jwt', alg: key.algorithm, jwk: { crv, kty, x, y } };
  return { proof: forgeJwt(header, claims, key), jkt: key.kid };
}
