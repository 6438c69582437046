import { createLocalJWKSet } from 'jose';
import type { ReadJwt } from '../../../../src/mock-service/trust/jwt-verifier.ts';
import type { JwkSet } from '../../../../src/protocol/jwk.ts';

type WebAlgorithm = Parameters<typeof crypto.subtle.verify>[0];

const WEB_ALGORITHMS: ReadonlyMap<string, WebAlgorithm> = new Map([
  ['ES256', { name: 'ECDSA', hash: 'SHA-256' }],
  ['EdDSA', { name: 'Ed25519' }],
  ['RS256', { name: 'RSASSA-PKCS1-v1_5' }],
]);

interface BareSignature {
  /** Default: what the header says. */
  readonly alg?: string;
  /** What was signed. Default: header and payload as they were sent. */
  readonly input?: string;
  /** Whatever is critical does not matter (RFC 7515 §4.1.11). */
  readonly whateverIsCritical?: true;
}

/** The bare signature, by the key that jose picks, without what jose asks beside it. */
export async function isBareSigned(
  { header, token }: ReadJwt,
  keySet: JwkSet,
  { alg = String(header['alg']), input, whateverIsCritical }: BareSignature = {},
): Promise<boolean> {
  const algorithm = WEB_ALGORITHMS.get(alg);
  if (algorithm === undefined) return false;
  if (header['crit'] !== undefined && whateverIsCritical === undefined) return false;
  const key = await createLocalJWKSet(keySet)({ ...header, alg });
  const [head, payload, signature = ''] = token.split('.');
  return crypto.subtle.verify(
    algorithm,
    key,
    new Uint8Array(Buffer.from(signature, 'base64url')),
    new TextEncoder().encode(input ?? `${head}.${payload}`),
  );
}
