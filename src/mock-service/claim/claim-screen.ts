import type { WireProblem } from '../../mock/http/response.ts';
import { clockTimeView, html } from '../../mock/pages/html.ts';
import { page } from '../../mock/pages/page.ts';
import type { Session } from '../../mock/sessions/sessions.ts';
import type { Outcome } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Advisory, ClaimQuestion } from '../pages/claim-question.ts';
import type { ClaimEnd } from '../pages/claim-view.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import type { StoredRegistration } from '../store/stored-registration.ts';

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

/** What a page says that came too late: its claim was decided elsewhere, or its time is up. */
function closedOutcome(
  { code }: WireProblem,
  { attempt }: RegistrationFacts,
  now: number,
): ClaimEnd | undefined {
  if (code === 'already_claimed') {
    return {
      kind: 'expired',
      word: 'Too late',
      title: 'This was approved before',
      text: 'The agent has access already, so nothing is left to decide here.',
    };
  }
  if (code !== 'claim_attempt_expired' || attempt === undefined) return undefined;
  if (attempt.deniedAt !== undefined) {
    return {
      kind: 'expired',
      word: 'Too late',
      title: 'This was denied before',
      text: html`It was denied at ${clockTimeView(attempt.deniedAt, now)}, perhaps in another window. If you want to approve, ask the agent for a new link.`,
    };
  }
  return {
    kind: 'expired',
    title: 'This link has expired',
    text: html`It was valid until ${clockTimeView(attempt.expiresAt, now)}. Nothing was decided. Ask the agent for a new link.`,
  };
}

/** What the owner of the account is asked about. */
export async function claimQuestion(
  { clock, config, registrations, trust }: ServiceContext,
  { attemptToken, registration, session }: ClaimScreen,
): Promise<ClaimQuestion> {
  const { agentName, facts, issuer } = registration;
  const until = facts.attempt?.expiresAt ?? 0;
  return {
    serviceName: config.name,
    signedInAs: session.visitor?.email ?? '',
    type: facts.type,
    // From the trust list, never from the token (AMD-06).
    providerName: trust.find(issuer)?.name,
    agentName,
    scopes: facts.postClaimScopes,
    advisories: await advisories(registrations, session.visitor?.key ?? '', registration),
    open: {
      timeLeft: until - clock.now(),
      until,
      lifetime: config.lifetimes.userCode,
    },
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
  { clock, views }: ServiceContext,
  { attemptToken, registration, session }: ClaimScreen,
  outcome: Outcome,
  afterwards = 'The agent will notice within seconds. You can close this page.',
): Promise<Response> {
  if (outcome.kind === 'claimed') {
    const title = 'The agent has access';
    const body = views.claimEnd({ kind: 'done', word: 'Approved', title, text: afterwards });
    return page(views.site, { title, body });
  }
  if (outcome.kind === 'denied') {
    const title = 'Access denied';
    const text =
      'The agent will be told that you denied its request. It gets no access to your account.';
    const body = views.claimEnd({ kind: 'refused', word: 'Denied', title, text });
    return page(views.site, { title, body });
  }
  const problem = refusalProblem(outcome);
  const closed = closedOutcome(problem, registration.facts, clock.now());
  if (closed !== undefined) {
    return page(views.site, {
      title: closed.title,
      body: views.claimEnd(closed),
      status: problem.status,
    });
  }
  if (problem.code !== 'wrong_account') throw problem;
  const body = views.wrongAccount({
    signedInAs: session.visitor?.email ?? '',
    boundTo: registration.facts.email,
    returnTo: claimUrl(attemptToken),
    csrfToken: session.csrfToken,
  });
  return page(views.site, { title: 'Wrong account', body, status: problem.status });
}

/** The advisories that the claim page shows the owner of the account (AMD-06). */
async function advisories(
  registrations: RegistrationStore,
  userId: string,
  { facts, issuer }: StoredRegistration,
): Promise<readonly Advisory[]> {
  const before = await registrations.issuersBeside(facts, userId);
  const isKnown = issuer === undefined || before.has(issuer);
  return [
    ...(before.size > 0 ? [] : (['first_agent'] as const)),
    ...(isKnown ? [] : (['first_time_provider'] as const)),
  ];
}
