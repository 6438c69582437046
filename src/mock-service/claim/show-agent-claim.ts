import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { json, seeOther } from '../../mock/http/replies.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { linkReviewUrl } from '../connections/connections.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { findByLink } from './claim-form.ts';
import { type ClaimScreen, claimUrl, renderEnd } from './claim-screen.ts';
import { wantsJson } from './wants-json.ts';

/** What the page of a claim shows while it is open. */
interface OpenClaimPage {
  /** For a browser. */
  show(screen: ClaimScreen): Promise<Response>;
  /** What a program gets beside what every open claim has. */
  members?(screen: ClaimScreen): JsonObject;
  /** What the page says once the agent has access. Default: that the agent will notice. */
  readonly afterwards?: string;
}

/**
 * `GET /claim` where the agent hands the code in: to its signed-in user, as a page or with
 * `Accept: application/json` for a program.
 */
export async function showAgentClaim(
  service: ServiceContext,
  c: Context,
  { show, members, afterwards }: OpenClaimPage,
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
  // What confirming would come to, so that page and form never disagree.
  const input = { account: { userId, email } };
  const { outcome } = decide('confirm', facts, input, decisionContext(service));
  const isOpen = outcome.kind === 'confirmed';
  if (asJson) {
    if (!isOpen && outcome.kind !== 'claimed') throw refusalProblem(outcome);
    if (!isOpen) return json({ status: 'claimed', registration_id: facts.id });
    return json({
      registration_type: facts.type,
      scopes: facts.postClaimScopes,
      csrf_token: session.csrfToken,
      ...members?.(screen),
    });
  }
  const review = await linkReviewUrl(service, userId, claimUrl(attemptToken));
  if (review !== undefined) return seeOther(review);
  return isOpen ? show(screen) : renderEnd(service, screen, outcome, afterwards);
}
