import { userActor } from '../../mock/audit/audit.ts';
import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { json } from '../../mock/http/replies.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { CompleteRequest } from '../../protocol/schemas/requests.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Account, Outcome } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { findByLink, missingMember, readDecision, visitClaimForm } from './claim-form.ts';
import { renderOutcome } from './claim-page.ts';

/**
 * `POST /agent/identity/claim/complete`, as a form or as JSON (wire contract §5). The order of checks:
 * session, CSRF, link, account, state, decision, code.
 */
export async function approveOrDeny(service: ServiceContext, c: Context): Promise<Response> {
  const form = await visitClaimForm(service, c);
  if ('response' in form) return form.response;
  const { account, isForm, session } = form;
  const request = parse(form.fields);
  const attemptToken = request.claim_attempt_token;
  const registration = await findByLink(service, attemptToken);
  const { facts, outcome } = await decide(service, request, account);
  if (isForm) {
    const typed = request.user_code ?? '';
    const screen = { registration: { ...registration, facts }, session, attemptToken };
    return renderOutcome(service, screen, { outcome, typed });
  }
  if (outcome.kind !== 'claimed' && outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: outcome.kind, registration_id: registration.facts.id });
}

interface Decided {
  /** As the decision saw them. */
  readonly facts: RegistrationFacts;
  readonly outcome: Outcome;
}

async function decide(
  { registrations, secrets }: ServiceContext,
  { claim_attempt_token: attemptToken, decision, user_code: typed }: CompleteRequest,
  account: Account,
): Promise<Decided> {
  // By the link, not by the registration: a newer attempt may have replaced it since it was looked up.
  const link = { by: 'attempt_token_hash', value: sha256(attemptToken) } as const;
  const actor = userActor(account.email);
  const decided =
    decision === 'deny'
      ? await registrations.decide('deny', link, actor, () => ({ account }))
      : await registrations.decide('submit', link, actor, (facts) => ({
          account,
          code: secrets.checkUserCode(facts, typed ?? ''),
        }));
  if (decided === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  return decided;
}

function parse(fields: JsonObject): CompleteRequest {
  const request = readDecision(fields);
  if (request.decision !== 'deny' && request.user_code === undefined) {
    throw missingMember('user_code');
  }
  return request;
}
