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
import { decide, type RegistrationFacts } from '../claim-machine/index.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { linkReviewUrl } from '../connections/link-review.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { readDecision, visitClaimForm } from './claim-form.ts';
import { type ClaimScreen, claimQuestion, claimUrl, renderEnd } from './claim-screen.ts';
import { findByLink } from './find-by-link.ts';
import { wantsJson } from './wants-json.ts';

/**
 * `GET /claim` where the page shows the code: first the question, once it is answered the code, each time the
 * page is loaded. With `Accept: application/json` the same for programs.
 */
export async function showReadBack(service: ServiceContext, c: Context): Promise<Response> {
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
  // What confirming would come to, so that page and form never disagree.
  const input = { account: { userId, email } };
  const { outcome } = decide('confirm', facts, input, service.decisionContext());
  const isOpen = outcome.kind === 'confirmed';
  if (asJson) {
    if (!isOpen && outcome.kind !== 'claimed') throw refusalProblem(outcome);
    if (!isOpen) return json({ status: 'claimed', registration_id: facts.id });
    return json({
      registration_type: facts.type,
      scopes: facts.postClaimScopes,
      csrf_token: session.csrfToken,
      ...(isConfirmed(facts) && confirmedMembers(service, facts)),
    });
  }
  const review = await linkReviewUrl(service, userId, claimUrl(attemptToken));
  if (review !== undefined) return seeOther(review);
  const screen = { registration, session, attemptToken: attemptToken ?? '' };
  return isOpen ? showOpen(service, screen) : renderEnd(service, screen, outcome, HANDED_IN);
}

/** `POST /claim`: the user confirms, and is led to the page that shows the code; or denies. */
export async function confirmOrDeny(service: ServiceContext, c: Context): Promise<Response> {
  const form = await visitClaimForm(service, c);
  if ('response' in form) return form.response;
  const { account, isForm, session } = form;
  const { claim_attempt_token: attemptToken, decision } = readDecision(form.fields);
  const registration = await findByLink(service, attemptToken);
  const decided = await service.registrations.decide(
    decision === 'deny' ? 'deny' : 'confirm',
    { by: 'attempt_token_hash', value: sha256(attemptToken) },
    userActor(account.email),
    () => ({ account }),
  );
  if (decided === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  const { facts, outcome } = decided;
  if (isForm) {
    // So that loading the page again sends nothing again.
    if (outcome.kind === 'confirmed') return seeOther(claimUrl(attemptToken));
    return renderEnd(service, { registration, session, attemptToken }, outcome, HANDED_IN);
  }
  const registration_id = facts.id;
  switch (outcome.kind) {
    case 'confirmed':
      return json({ ...confirmedMembers(service, facts), registration_id });
    case 'claimed':
    case 'denied':
      return json({ status: outcome.kind, registration_id });
    default:
      throw refusalProblem(outcome);
  }
}

/** Here the agent knows already: it handed the code in. */
const HANDED_IN = 'It has handed in the code. You can close this page.';

async function showOpen(service: ServiceContext, screen: ClaimScreen): Promise<Response> {
  const { site, views } = service;
  const { facts } = screen.registration;
  const question = await claimQuestion(service, screen);
  if (!isConfirmed(facts)) {
    return page(site, { title: 'Give access', body: views.confirmClaim(question) });
  }
  const body = views.claimCode({ ...question, userCode: codeOf(service, facts) });
  return page(site, { title: 'Your code', body });
}

function isConfirmed({ attempt }: RegistrationFacts): boolean {
  return attempt?.confirmedAt !== undefined;
}

function confirmedMembers(service: ServiceContext, facts: RegistrationFacts) {
  return { status: 'confirmed', user_code: codeOf(service, facts) };
}

function codeOf({ secrets }: ServiceContext, { attempt }: RegistrationFacts): string {
  return attempt === undefined ? '' : secrets.userCode(attempt.id);
}
