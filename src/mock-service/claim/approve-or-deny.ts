import {
  type Context,
  json,
  readForm,
  readJsonObject,
  seeOther,
  signInUrl,
  userActor,
  type WireProblem,
  wireProblem,
} from '../../mock/index.ts';
import { type CompleteRequest, completeRequest, type JsonObject } from '../../protocol/index.ts';
import { sha256 } from '../../runtime/index.ts';
import type { Account, Outcome } from '../claim-machine/index.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { claimUrl, renderOutcome } from './claim-page.ts';
import { findByLink } from './find-by-link.ts';
import { wantsJson } from './wants-json.ts';

/**
 * `POST /agent/identity/claim/complete`, as a form or as JSON (wire contract §5). The order of checks:
 * session, CSRF, link, account, state, decision, code.
 */
export async function approveOrDeny(service: ServiceContext, c: Context): Promise<Response> {
  const isForm = !wantsJson(c.req.raw);
  const fields = isForm
    ? await readFields(service, c)
    : await readJsonObject(service.reader, c, 'complete');
  const session = await service.sessions.find(c);
  if (session?.visitor === undefined) {
    if (!isForm) throw wireProblem('complete', 'login_required');
    return seeOther(signInUrl(claimUrl(fields['claim_attempt_token'])));
  }
  const csrfToken = fields['csrf_token'];
  service.sessions.checkCsrf(c, session, typeof csrfToken === 'string' ? csrfToken : undefined);

  const { key: userId, email } = session.visitor;
  const request = parse(fields);
  const registration = await findByLink(service, request.claim_attempt_token);
  const outcome = await decide(service, request, { userId, email });
  if (isForm) return renderOutcome(service, { registration, session, request, outcome });
  if (outcome.kind !== 'claimed' && outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: outcome.kind, registration_id: registration.facts.id });
}

async function decide(
  { registrations, secrets }: ServiceContext,
  { claim_attempt_token: attemptToken, decision, user_code: typed }: CompleteRequest,
  account: Account,
): Promise<Outcome> {
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
  return decided.outcome;
}

/** The members that a form may carry; an empty code is a code that was not typed. */
async function readFields({ reader }: ServiceContext, c: Context): Promise<JsonObject> {
  const form = await readForm(reader, c, 'complete');
  const decision = form.get('decision');
  return {
    claim_attempt_token: form.get('claim_attempt_token'),
    csrf_token: form.get('csrf_token'),
    user_code: form.get('user_code') ?? '',
    ...(decision !== undefined && { decision }),
  };
}

function parse(fields: JsonObject): CompleteRequest {
  const parsed = completeRequest.safeParse(fields);
  if (!parsed.success) throw missing(String(parsed.error.issues[0]?.path[0]));
  const { decision, user_code: userCode } = parsed.data;
  if (decision !== 'deny' && userCode === undefined) throw missing('user_code');
  return parsed.data;
}

function missing(member: string): WireProblem {
  return wireProblem('complete', 'invalid_request', {
    description: `The member ${member} is missing or invalid.`,
  });
}
