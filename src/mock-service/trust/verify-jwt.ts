import type { JsonObject } from '../../protocol/index.ts';
import type { TrustedIssuer } from '../config/config.ts';
import type { HeaderCheck, JwtVerifier, SignatureProblem } from './jwt-verifier.ts';

/** Why a provider's JWT is not accepted, before any of its claims but `iss` is read. */
export type JwtProblem =
  | 'not_a_jwt'
  | HeaderCheck['problem']
  | 'unknown_issuer'
  | 'keys_unavailable'
  | SignatureProblem;

type JwtResult =
  | { readonly ok: true; readonly claims: JsonObject; readonly trusted: TrustedIssuer }
  | { readonly ok: false; readonly problem: JwtProblem };

/** Checks a provider's JWT in the order of wire.md §3: shape and header, issuer, signature. */
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
  if (keySet === undefined) return fail('keys_unavailable');
  const problem = await verifier.signatureProblem(jwt, keySet);
  return problem === undefined ? { ok: true, claims: payload, trusted } : fail(problem);
}

function fail(problem: JwtProblem): JwtResult {
  return { ok: false, problem };
}
