import { type CodeAt, JWT_TYPE } from '../../protocol/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { type JwtProblem, verifyProviderJwt } from '../trust/index.ts';
import type { IdJagRefusal } from './id-jag.ts';
import type { IdJagResult } from './read-id-jag.ts';

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'identity'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_signature',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_signature',
  bad_signature: 'invalid_signature',
  keys_unavailable: 'temporarily_unavailable',
};

/** Verifies an ID-JAG up to its `jti`: header, issuer and signature first, then what it says (wire.md §3). */
export async function verifyIdJag(
  { clock, config, decisions, verifier }: ServiceContext,
  assertion: string,
): Promise<IdJagResult> {
  // When it arrived, however long the keys take to fetch.
  const now = clock.now();
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) return { ok: false, refusal: refusalOf(verified.problem) };
  const read = decisions.readIdJag(verified.claims, { trusted: verified.trusted, config });
  if (!read.ok) return read;
  const facts = { idJag: read.idJag, config, now };
  for (const { check } of decisions.idJagChecks) {
    const refusal = check(facts);
    if (refusal) return { ok: false, refusal };
  }
  return read;
}

function refusalOf(problem: JwtProblem): IdJagRefusal {
  const description = 'The assertion is not an ID-JAG.';
  return { code: CODE_OF[problem], ...(problem === 'wrong_type' && { description }) };
}
