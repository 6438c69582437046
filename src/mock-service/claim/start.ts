import { type Context, json, readJsonObject, wireProblem } from '../../mock/index.ts';
import { type ClaimRequest, claimRequest, instant } from '../../protocol/index.ts';
import { sha256 } from '../../runtime/index.ts';
import { claimBlock, freshAttempt } from '../claim-attempt/fresh-attempt.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { Decisions } from '../context/decisions.ts';
import type { ServiceContext } from '../context/service-context.ts';

/** `POST /agent/identity/claim`: opens a claim attempt (wire contract §4). */
export async function startClaim(service: ServiceContext, c: Context): Promise<Response> {
  const { clock, config, decisions, reader, registrations } = service;
  const body = claimRequest.safeParse(await readJsonObject(reader, c, 'claim'));
  if (!body.success) {
    const member = String(body.error.issues[0]?.path[0]);
    throw wireProblem('claim', 'invalid_request', {
      description: `The member ${member} is missing or is not a string.`,
    });
  }
  const email = emailOf(body.data, decisions);
  const attempt = freshAttempt(service);
  const decided = await registrations.decide(
    'start',
    { by: 'claim_token_hash', value: sha256(body.data.claim_token) },
    'agent',
    () => ({ email, attempt: attempt.stored }),
  );
  if (decided === undefined) throw wireProblem('claim', 'invalid_claim_token');
  const { facts, outcome } = decided;
  if (outcome.kind !== 'attempt_opened') throw refusalProblem(outcome);
  return json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(outcome.expiresAt),
    claim_attempt: claimBlock(config.issuer, attempt, outcome, clock.now()),
  });
}

/** `login_hint` is read as `email`; an empty one is none. */
function emailOf(
  { email, login_hint: hint }: ClaimRequest,
  { readEmail }: Decisions,
): string | undefined {
  const given = [email, hint].filter((value) => value !== undefined && value !== '');
  const emails = given.map((value = '') => readEmail(value));
  if (emails.includes(undefined)) {
    throw wireProblem('claim', 'invalid_request', {
      description: 'email is not an email address.',
    });
  }
  if (new Set(emails).size > 1) {
    throw wireProblem('claim', 'invalid_request', { description: 'email and login_hint differ.' });
  }
  return emails[0];
}
