import { page, type Session } from '../../mock/index.ts';
import type { Outcome } from '../claim-machine/index.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { ClaimQuestion } from '../pages/claim-question.ts';
import type { StoredRegistration } from '../store/rows.ts';
import { advisories } from './advisories.ts';

/** What every page about a claim is about, and who looks at it. */
export interface ClaimScreen {
  readonly registration: StoredRegistration;
  readonly session: Session;
  readonly attemptToken: string;
}

/** Where an attempt is completed. */
export function claimUrl(attemptToken: unknown): string {
  const token = typeof attemptToken === 'string' ? attemptToken : '';
  return `${PATHS.claimPage}?claim_attempt_token=${encodeURIComponent(token)}`;
}

/** What the owner of the account is asked about. */
export async function claimQuestion(
  { clock, config, db, trust }: ServiceContext,
  { attemptToken, registration, session }: ClaimScreen,
): Promise<ClaimQuestion> {
  const { agentName, facts, issuer } = registration;
  return {
    serviceName: config.name,
    signedInAs: session.visitor?.email ?? '',
    type: facts.type,
    // From the trust list, never from the token (AMD-06).
    providerName: trust.find(issuer)?.name,
    agentName,
    scopes: facts.postClaimScopes,
    advisories: await advisories(db, session.visitor?.key ?? '', registration),
    timeLeft: (facts.attempt?.expiresAt ?? 0) - clock.now(),
    attemptToken,
    csrfToken: session.csrfToken,
  };
}

/**
 * The page for an outcome with which nothing is left to do here.
 * @param afterwards what follows a claim that is made.
 * @throws WireProblem where the outcome is a refusal that is the same for everybody.
 */
export async function renderEnd(
  { site, views }: ServiceContext,
  { attemptToken, registration, session }: ClaimScreen,
  outcome: Outcome,
  afterwards = 'The agent will notice within seconds. You can close this page.',
): Promise<Response> {
  if (outcome.kind === 'claimed') {
    return page(site, { title: 'Done', body: views.claimEnd('The agent has access', afterwards) });
  }
  if (outcome.kind === 'denied') {
    const text =
      'The agent will be told that you denied its request. It gets no access to your account.';
    return page(site, { title: 'Access denied', body: views.claimEnd('Access denied', text) });
  }
  const problem = refusalProblem(outcome);
  if (problem.code !== 'wrong_account') throw problem;
  const body = views.wrongAccount({
    signedInAs: session.visitor?.email ?? '',
    boundTo: registration.facts.email,
    returnTo: claimUrl(attemptToken),
    csrfToken: session.csrfToken,
  });
  return page(site, { title: 'Wrong account', body, status: problem.status });
}
