import { compactVerify, createLocalJWKSet, errors } from 'jose';
import type { Faults } from '../../mock/index.ts';
import { ACCEPTED_ALGORITHMS, isJwtType, type JsonObject } from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import type { TrustedIssuer } from '../options.ts';
import { readJwt } from './careless-reading.ts';
import { isSignedCarelessly } from './careless-signature.ts';
import { seenCarelessly, trustCarelessly } from './careless-trust.ts';
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
  text: string,
  type: string,
  verifier: JwtVerifier,
): Promise<JwtResult> {
  const { faults, trust, keys } = verifier;
  const jwt = readJwt(text, faults);
  if (jwt === undefined) return { ok: false, problem: 'not_a_jwt' };
  const { header, payload, token } = jwt;
  if (!isType(header['typ'], type, faults)) return { ok: false, problem: 'wrong_type' };
  const { alg, kid } = header;
  const listed = trust.find(payload['iss']);
  if (!isAlgorithm(alg, faults) || !isKeyName(kid)) {
    return listed !== undefined && (await isSignedCarelessly(jwt, listed, verifier))
      ? { ok: true, claims: payload, trusted: listed }
      : { ok: false, problem: 'bad_header' };
  }
  const trusted = listed ?? (await trustCarelessly(payload, verifier));
  if (trusted === undefined) return { ok: false, problem: 'unknown_issuer' };
  const published = await keys.keySet(trusted.jwksUri, kid);
  if (published === undefined) {
    if (faults.has('unverifiableAccepted')) return { ok: true, claims: payload, trusted };
    const refused = faults.has('outageIsRefusal');
    return { ok: false, problem: refused ? 'bad_signature' : 'keys_unavailable' };
  }
  const keySet = seenCarelessly(published, keys, faults);
  try {
    await compactVerify(token, createLocalJWKSet(keySet), { algorithms: [...ACCEPTED_ALGORITHMS] });
  } catch (error) {
    const noKey =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
    if (!faults.has('signatureUnchecked') && !(await isSignedCarelessly(jwt, trusted, verifier))) {
      return { ok: false, problem: noKey ? 'no_key' : 'bad_signature' };
    }
  }
  return { ok: true, claims: payload, trusted };
}

function isType(typ: unknown, type: string, faults: Faults<ServiceFault>): boolean {
  if (faults.has('typeUnchecked')) return true;
  return faults.has('typeSpelledStrictly') ? typ === type : isJwtType(typ, type);
}

function isAlgorithm(alg: unknown, faults: Faults<ServiceFault>): boolean {
  const allowed = faults.has('onlyEs256') ? ['ES256'] : ACCEPTED_ALGORITHMS;
  return allowed.some((known) => known === alg);
}

function isKeyName(kid: unknown): kid is string {
  return typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH;
}
