import { compactVerify, createLocalJWKSet, errors } from 'jose';
import type { Faults } from '../../mock/index.ts';
import {
  ACCEPTED_ALGORITHMS,
  decodeJwt,
  isJwtType,
  type JsonObject,
} from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import type { TrustedIssuer } from '../options.ts';
import type { KeySource } from './key-source.ts';
import type { TrustList } from './trust-list.ts';

/** Why a provider's JWT is not accepted, before any of its claims but `iss` is looked at. */
export type JwtProblem =
  | 'not_a_jwt'
  | 'wrong_type'
  | 'bad_header'
  | 'unknown_issuer'
  | 'no_key'
  | 'bad_signature'
  | 'keys_unavailable';

export type JwtResult =
  | { readonly ok: true; readonly claims: JsonObject; readonly trusted: TrustedIssuer }
  | { readonly ok: false; readonly problem: JwtProblem };

const MAX_KID_LENGTH = 256;

export interface JwtVerifier {
  readonly trust: TrustList;
  readonly keys: KeySource;
  readonly faults: Faults<ServiceFault>;
}

/**
 * Checks a provider's JWT in the order of wire.md §3: shape and header, issuer, signature. Header
 * members that carry or point to keys are ignored; `kid` is compared, never resolved.
 */
export async function verifyProviderJwt(
  token: string,
  type: string,
  { faults, trust, keys }: JwtVerifier,
): Promise<JwtResult> {
  const decoded = decodeJwt(token);
  if (decoded === undefined) return { ok: false, problem: 'not_a_jwt' };
  const { header, payload } = decoded;
  if (!isJwtType(header['typ'], type)) return { ok: false, problem: 'wrong_type' };
  const { alg, kid } = header;
  const allowed = ACCEPTED_ALGORITHMS.some((known) => known === alg);
  if (!allowed || typeof kid !== 'string' || kid === '' || kid.length > MAX_KID_LENGTH) {
    return { ok: false, problem: 'bad_header' };
  }
  const trusted = trust.find(payload['iss']);
  if (trusted === undefined) return { ok: false, problem: 'unknown_issuer' };
  const keySet = await keys.keySet(trusted.jwksUri, kid);
  if (keySet === undefined) return { ok: false, problem: 'keys_unavailable' };
  try {
    await compactVerify(token, createLocalJWKSet(keySet), { algorithms: [...ACCEPTED_ALGORITHMS] });
  } catch (error) {
    const noKey =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
    if (!faults.has('signatureUnchecked')) {
      return { ok: false, problem: noKey ? 'no_key' : 'bad_signature' };
    }
  }
  return { ok: true, claims: payload, trusted };
}
