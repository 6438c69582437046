import type { Context } from '../../mock/http/request.ts';
import { json, seeOther, wireProblem } from '../../mock/http/response.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Account, Outcome } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { linkReviewUrl } from '../connections/connections.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { findByLink, wantsJson } from './claim-form.ts';
import { type ClaimScreen, claimUrl, renderEnd } from './claim-screen.ts';

/** What the link of a claim shows its signed-in user. */
export interface OpenClaimPage {
  /** What a form of the page would come to now, so that the two never disagree; `undefined` while the claim is open. */
  endOf(facts: RegistrationFacts, account: Account): Outcome | undefined;
  /** Answers a browser while the claim is open. */
  show(screen: ClaimScreen): Promise<Response>;
  /** What a program gets beside what every open claim has. */
  members?(screen: ClaimScreen): JsonObject;
  /** What the page says once the agent has access. Default: that the agent will notice. */
  readonly afterwards?: string;
}

/**
 * `GET /claim`: a page, or with `Accept: application/json` what a program needs. Who is not signed in is led to the
 * sign-in, and back.
 */
export async function showClaimLink(
  service: ServiceContext,
  c: Context,
  { afterwards, endOf, members, show }: OpenClaimPage,
): Promise<Response> {
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
  const screen = { registration, session, attemptToken: attemptToken ?? '' };
  const end = endOf(facts, { userId, email });
  if (asJson) {
    if (end?.kind === 'claimed') return json({ status: 'claimed', registration_id: facts.id });
    if (end !== undefined) throw refusalProblem(end);
    return json({
      registration_type: facts.type,
      scopes: facts.postClaimScopes,
      csrf_token: session.csrfToken,
      ...members?.(screen),
    });
  }
  const review = await linkReviewUrl(service, userId, claimUrl(attemptToken));
  if (review !== undefined) return seeOther(review);
  return end === undefined ? show(screen) : renderEnd(service, screen, end, afterwards);
}
