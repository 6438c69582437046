import { type Context, readJsonObject } from '../../mock/http/request.ts';
import { wireProblem } from '../../mock/http/response.ts';
import { sha256 } from '../../runtime/hash.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { freshAttempt, noteOpened } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { mailCode } from '../mails/mail-code.ts';

/** `POST /agent/identity/claim`: opens a claim attempt (wire contract §4). */
export async function startClaim(service: ServiceContext, c: Context): Promise<Response> {
  const { clock, config, decisions, dialect, reader, registrations } = service;
  const members = await readJsonObject(reader, c, 'claim');
  const { claimToken, email } = dialect.claim.read(members, decisions);
  const fresh = freshAttempt(service);
  const decided = await registrations.decide(
    'start',
    { by: 'claim_token_hash', value: sha256(claimToken) },
    'agent',
    () => ({ email, attempt: fresh.stored }),
  );
  if (decided === undefined) throw wireProblem('claim', 'invalid_claim_token');
  const { facts, outcome } = decided;
  if (outcome.kind !== 'attempt_opened') throw refusalProblem(outcome);
  const { expiresAt, interval } = outcome;
  noteOpened(service, fresh);
  const attempt = { ...fresh, expiresAt, interval };
  await mailCode(service, { facts, attempt, email: email ?? facts.email });
  const started = { facts, attempt };
  return dialect.claim.write(started, { issuer: config.issuer, now: clock.now() });
}
