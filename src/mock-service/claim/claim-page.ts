import {
  type Context,
  json,
  page,
  type Session,
  seeOther,
  signInUrl,
  wireProblem,
} from '../../mock/index.ts';
import type { CompleteRequest } from '../../protocol/index.ts';
import { decide, type Outcome } from '../claim-machine/index.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { describeCodeFormat } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import { isUserCode } from '../config/user-code.ts';
import { linkReviewUrl } from '../connections/link-review.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { StoredRegistration } from '../store/rows.ts';
import { advisories } from './advisories.ts';
import { findByLink } from './find-by-link.ts';
import { wantsJson } from './wants-json.ts';

/** `GET /claim`: the claim screen, or with `Accept: application/json` what a program needs to complete. */
export async function showClaim(service: ServiceContext, c: Context): Promise<Response> {
  const attemptToken = c.req.query('claim_attempt_token');
  const asJson = wantsJson(c.req.raw);
  const session = await service.sessions.find(c);
  if (session?.visitor === undefined) {
    if (asJson) throw wireProblem('complete', 'login_required');
    return seeOther(signInUrl(claimUrl(attemptToken)));
  }
  const registration = await findByLink(service, attemptToken);
  const { key: userId, email } = session.visitor;
  // The outcome of submitting without a code: `invalid_user_code` means that a code can be typed. So page
  // and form never disagree.
  const input = { account: { userId, email }, code: 'malformed' } as const;
  const { outcome } = decide('submit', registration.facts, input, service.decisionContext());
  const open = outcome.kind === 'refused' && outcome.code === 'invalid_user_code';
  if (asJson) {
    if (!open && outcome.kind !== 'claimed') throw refusalProblem(outcome);
    const { id, postClaimScopes, type } = registration.facts;
    return open
      ? json({ registration_type: type, scopes: postClaimScopes, csrf_token: session.csrfToken })
      : json({ status: 'claimed', registration_id: id });
  }
  const review = await linkReviewUrl(service, userId, claimUrl(attemptToken));
  if (review !== undefined) return seeOther(review);
  const request = { claim_attempt_token: attemptToken ?? '' };
  // Nothing was typed yet, so nothing was wrong.
  if (open) return form(service, { registration, session, request });
  return renderOutcome(service, { registration, session, request, outcome });
}

/** `GET /c/…`: the short link, to the claim page of its attempt or first to the sign-in. */
export async function followLink(service: ServiceContext, c: Context): Promise<Response> {
  const goal = claimUrl(c.req.param('token'));
  const session = await service.sessions.find(c);
  const isIn = session?.visitor !== undefined || wantsJson(c.req.raw);
  return seeOther(isIn ? goal : signInUrl(goal));
}

/** Where an attempt is completed. */
export function claimUrl(attemptToken: unknown): string {
  const token = typeof attemptToken === 'string' ? attemptToken : '';
  return `${PATHS.claimPage}?claim_attempt_token=${encodeURIComponent(token)}`;
}

interface ClaimScreen {
  readonly registration: StoredRegistration;
  readonly session: Session;
  readonly request: CompleteRequest;
}

/** The page for an outcome. */
export async function renderOutcome(
  service: ServiceContext,
  screen: ClaimScreen & { readonly outcome: Outcome },
): Promise<Response> {
  const { outcome, registration, request, session } = screen;
  const { config, site, views } = service;
  if (outcome.kind === 'claimed') {
    const text = 'The agent will notice within seconds. You can close this page.';
    return page(site, { title: 'Done', body: views.claimEnd('The agent has access', text) });
  }
  if (outcome.kind === 'denied') {
    const text =
      'The agent will be told that you denied its request. It gets no access to your account.';
    return page(site, { title: 'Access denied', body: views.claimEnd('Access denied', text) });
  }
  const problem = refusalProblem(outcome);
  if (problem.code === 'invalid_user_code') {
    const left = problem.members['attempts_remaining'];
    if (!isUserCode(config.codeFormat, request.user_code ?? '')) {
      const text = `A code has ${describeCodeFormat(config.codeFormat)}. Enter the code that your agent shows you.`;
      return form(service, screen, problem.status, text);
    }
    if (left !== 0) return form(service, screen, problem.status, attemptsLeft(left));
    const text = 'That code is wrong, and no tries are left. Ask the agent for a new link.';
    const body = views.claimEnd('No tries left', text);
    return page(site, { title: 'No tries left', body, status: problem.status });
  }
  if (problem.code === 'wrong_account') {
    const body = views.wrongAccount({
      signedInAs: session.visitor?.email ?? '',
      boundTo: registration.facts.email,
      returnTo: claimUrl(request.claim_attempt_token),
      csrfToken: session.csrfToken,
    });
    return page(site, { title: 'Wrong account', body, status: problem.status });
  }
  throw problem;
}

async function form(
  service: ServiceContext,
  { registration, request, session }: ClaimScreen,
  status = 200,
  problem?: string,
): Promise<Response> {
  const { clock, config, db, site, trust, views } = service;
  const { agentName, facts, issuer } = registration;
  const body = views.claim({
    serviceName: config.name,
    signedInAs: session.visitor?.email ?? '',
    type: facts.type,
    // From the trust list, never from the token (AMD-06).
    providerName: trust.find(issuer)?.name,
    agentName,
    scopes: facts.postClaimScopes,
    advisories: await advisories(db, session.visitor?.key ?? '', registration),
    codeFormat: config.codeFormat,
    timeLeft: (facts.attempt?.expiresAt ?? 0) - clock.now(),
    attemptToken: request.claim_attempt_token,
    csrfToken: session.csrfToken,
    ...(problem !== undefined && { problem }),
  });
  return page(site, { title: 'Give access', body, status });
}

function attemptsLeft(left: unknown): string {
  return `That code is wrong. ${left === 1 ? 'One try is' : `${String(left)} tries are`} left.`;
}
