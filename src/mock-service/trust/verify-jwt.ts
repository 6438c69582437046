import type { JsonObject } from '../../protocol/json.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { HeaderCheck, JwtVerifier, SignatureProblem } from './jwt-verifier.ts';

/** Why a provider's JWT is not accepted, before any of its claims but `iss` is read. */
export type JwtProblem =
  | 'not_a_jwt'
  | HeaderCheck['problem']
  | 'unknown_issuer'
  | 'keys_unavailable'
  | SignatureProblem;

export interface FailedJwt {
  readonly ok: false;
  readonly problem: JwtProblem;
  /** With `keys_unavailable`: what did not answer. It is configured, or of the issuer's metadata. */
  readonly url?: string;
}

type JwtResult =
  | { readonly ok: true; readonly claims: JsonObject; readonly trusted: TrustedIssuer }
  | FailedJwt;

/** Checks a provider's JWT in the order of wire contract §3: shape and header, issuer, signature. */
export async function verifyProviderJwt(
  text: string,
  type: string,
  verifier: JwtVerifier,
): Promise<JwtResult> {
  const jwt = verifier.read(text);
  if (jwt === undefined) return fail('not_a_jwt');
  const { header, payload } = jwt;
  const failed = verifier.headerChecks.find((check) => !check.holds(header, type));
  if (failed !== undefined) return fail(failed.problem);
  const trusted = await verifier.issuerOf(payload);
  if (trusted === undefined) return fail('unknown_issuer');
  const keySet = await verifier.keySet(trusted, header);
  if (keySet === undefined) {
    return { ok: false, problem: 'keys_unavailable', url: verifier.unavailableUrl(trusted) };
  }
  const problem = await verifier.signatureProblem(jwt, keySet);
  return problem === undefined ? { ok: true, claims: payload, trusted } : fail(problem);
}

/** For the sender of a JWT. A query or user information may be secret; nothing of the JWT is in it. */
export function unavailableText(url: string): string {
  const { origin, pathname } = new URL(url);
  const shown = (origin + pathname).slice(0, 256);
  return `The keys of the issuer cannot be fetched: ${shown} gave no usable answer.`;
}

function fail(problem: JwtProblem): FailedJwt {
  return { ok: false, problem };
}
