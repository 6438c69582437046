import type { CodeAt } from '../../protocol/codes.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { JwtVerifier } from '../trust/jwt-verifier.ts';
import {
  type FailedJwt,
  type JwtProblem,
  unavailableText,
  verifyProviderJwt,
} from '../trust/verify-jwt.ts';
import type { IdJagCheck, IdJagRefusal } from './id-jag-checks.ts';
import type { IdJagResult, readIdJag } from './read-id-jag.ts';

/** What ID-JAGs are verified with. */
export interface IdJagParts {
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: {
    readonly readIdJag: typeof readIdJag;
    readonly idJagChecks: readonly IdJagCheck[];
  };
  readonly verifier: JwtVerifier;
}

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'identity'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_signature',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_signature',
  bad_signature: 'invalid_signature',
  keys_unavailable: 'temporarily_unavailable',
};

/** Verifies an ID-JAG up to its `jti`: header, issuer and signature first, then what it says (wire contract §3). */
export async function verifyIdJag(
  { clock, config, decisions, verifier }: IdJagParts,
  assertion: string,
): Promise<IdJagResult> {
  // The time of arrival, however long fetching the keys takes.
  const now = clock.now();
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) return { ok: false, refusal: refusalOf(verified) };
  const read = decisions.readIdJag(verified.claims, { trusted: verified.trusted, config });
  if (!read.ok) return read;
  const facts = { idJag: read.idJag, config, now };
  for (const { check } of decisions.idJagChecks) {
    const refusal = check(facts);
    if (refusal) return { ok: false, refusal };
  }
  return read;
}

function refusalOf({ problem, url }: FailedJwt): IdJagRefusal {
  const code = CODE_OF[problem];
  if (problem === 'wrong_type') return { code, description: 'The assertion is not an ID-JAG.' };
  return url === undefined ? { code } : { code, description: unavailableText(url) };
}
