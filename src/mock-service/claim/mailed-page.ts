import {
  type Context,
  json,
  page,
  seeOther,
  signInUrl,
  userActor,
  wireProblem,
} from '../../mock/index.ts';
import { sha256 } from '../../runtime/index.ts';
import { decide } from '../claim-machine/index.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { linkReviewUrl } from '../connections/link-review.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { missingMember, readDecision, visitClaimForm } from './claim-form.ts';
import { claimQuestion, claimUrl, renderEnd } from './claim-screen.ts';
import { findByLink } from './find-by-link.ts';
import { wantsJson } from './wants-json.ts';

/**
 * `GET /claim` where the code came by mail: what it is for, and a way to deny it. The page neither asks for the
 * code nor shows it: its owner reads it to the agent.
 */
export async function showMailed(service: ServiceContext, c: Context): Promise<Response> {
  const attemptToken = c.req.query('claim_attempt_token');
  const asJson = wantsJson(c.req.raw);
  const session = await service.sessions.find(c);
  if (session?.visitor === undefined) {
    if (asJson) throw wireProblem('complete', 'login_required');
    return seeOther(signInUrl(claimUrl(attemptToken)));
  }
  const registration = await findByLink(service, attemptToken);
  const { facts } = registration;
  const { key: userId, email } = session.visitor;
  // What confirming would come to, if there were something to confirm: whether the claim is open for this user.
  const input = { account: { userId, email } };
  const { outcome } = decide('confirm', facts, input, service.decisionContext());
  const isOpen = outcome.kind === 'confirmed';
  if (asJson) {
    if (!isOpen && outcome.kind !== 'claimed') throw refusalProblem(outcome);
    return isOpen
      ? json({
          registration_type: facts.type,
          scopes: facts.postClaimScopes,
          csrf_token: session.csrfToken,
        })
      : json({ status: 'claimed', registration_id: facts.id });
  }
  const review = await linkReviewUrl(service, userId, claimUrl(attemptToken));
  if (review !== undefined) return seeOther(review);
  const screen = { registration, session, attemptToken: attemptToken ?? '' };
  if (!isOpen) return renderEnd(service, screen, outcome);
  const body = service.views.mailedClaim(await claimQuestion(service, screen));
  return page(service.site, { title: 'Give access', body });
}

/** `POST /claim`: the user denies. To approve, the code is read to the agent. */
export async function denyMailed(service: ServiceContext, c: Context): Promise<Response> {
  const form = await visitClaimForm(service, c);
  if ('response' in form) return form.response;
  const { account, isForm, session } = form;
  const { claim_attempt_token: attemptToken, decision } = readDecision(form.fields);
  if (decision !== 'deny') throw missingMember('decision');
  const registration = await findByLink(service, attemptToken);
  const decided = await service.registrations.decide(
    'deny',
    { by: 'attempt_token_hash', value: sha256(attemptToken) },
    userActor(account.email),
    () => ({ account }),
  );
  if (decided === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  const { facts, outcome } = decided;
  if (isForm) return renderEnd(service, { registration, session, attemptToken }, outcome);
  if (outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: 'denied', registration_id: facts.id });
}
