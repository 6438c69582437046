import type { Context } from 'hono';
import { type Faults, json, readJsonObject, wireProblem } from '../../mock/index.ts';
import {
  type ClaimRequest,
  claimRequest,
  instant,
  type JsonObject,
  MINUTE,
  normalizeEmail,
  SECOND,
} from '../../protocol/index.ts';
import { sha256 } from '../../runtime/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import { refusalProblem } from '../refusal.ts';
import type { ServiceContext } from '../service-context.ts';
import { claimBlock, type FreshAttempt, freshAttempt } from './attempt-secrets.ts';

/** `POST /agent/identity/claim`: opens a claim attempt (wire.md §4). */
export async function startClaim(service: ServiceContext, c: Context): Promise<Response> {
  const { clock, config, faults, random, registrations, userCodeKey } = service;
  const members = await readJsonObject(c, 'claim');
  const body = claimRequest.safeParse(
    faults.has('memberTypesUnchecked') ? strings(members) : members,
  );
  if (!body.success) {
    const member = String(body.error.issues[0]?.path[0]);
    throw wireProblem('claim', 'invalid_request', {
      description: `The member ${member} is missing or is not a string.`,
    });
  }
  const email = emailOf(body.data, faults);
  const attempt = withOwnLink(
    freshAttempt(random, userCodeKey, faults),
    faults.has('linkStays') ? body.data.claim_token : undefined,
  );
  const decided = await registrations.decide(
    'start',
    { by: 'claim_token_hash', value: sha256(body.data.claim_token) },
    'agent',
    () => ({ email, attempt: attempt.stored }),
  );
  if (decided === undefined) {
    if (!faults.has('anyClaimTokenOpens')) throw wireProblem('claim', 'invalid_claim_token');
    const unknown = { expiresAt: clock.now() + MINUTE, interval: 5 * SECOND };
    return json({ claim_attempt: claimBlock(config.issuer, attempt, unknown, clock.now()) });
  }
  const { facts, outcome } = decided;
  if (outcome.kind !== 'attempt_opened') throw refusalProblem(outcome);
  return json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(outcome.expiresAt),
    claim_attempt: claimBlock(config.issuer, attempt, outcome, clock.now()),
    ...(faults.has('knownAddressTold') && { account: await accountOf(service, email) }),
  });
}

/** What gives an address away. */
async function accountOf(
  { users }: ServiceContext,
  email: string | undefined,
): Promise<'known' | 'new'> {
  return (await users.isKnown(email ?? '')) ? 'known' : 'new';
}

/** Drops what is no string, as a lenient reader does. */
function strings(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => typeof value === 'string'),
  );
}

/** By a fault: the link of every attempt is made from the claim token, and never changes. */
function withOwnLink(attempt: FreshAttempt, claimToken: string | undefined): FreshAttempt {
  if (claimToken === undefined) return attempt;
  const token = `cat_${sha256(claimToken)}`;
  return { ...attempt, token, stored: { ...attempt.stored, tokenHash: sha256(token) } };
}

/** `login_hint` is read as `email`; an empty one is none. */
function emailOf(
  { email, login_hint: hint }: ClaimRequest,
  faults: Faults<ServiceFault>,
): string | undefined {
  const read = faults.has('claimHintIgnored') ? [email] : [email, hint];
  const given = read.filter((value) => value !== undefined && value !== '');
  const addresses = given.map(
    (value = '') =>
      normalizeEmail(value) ?? (faults.has('claimEmailsUnchecked') ? value : undefined),
  );
  if (addresses.includes(undefined)) {
    throw wireProblem('claim', 'invalid_request', {
      description: 'email is not an email address.',
    });
  }
  if (new Set(addresses).size > 1) {
    throw wireProblem('claim', 'invalid_request', { description: 'email and login_hint differ.' });
  }
  return addresses[0];
}
