import type { Context } from '../../mock/http/request.ts';
import { json, seeOther } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { linkReviewUrl } from '../connections/connections.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { decideByForm, decidingAs, missingMember, visitClaimLink } from './claim-form.ts';
import { type ClaimScreen, claimQuestion, claimUrl, renderEnd } from './claim-screen.ts';

/**
 * `GET /claim` where the page shows the code: first the question, once it is answered the code, each time the
 * page is loaded. With `Accept: application/json` the same for programs.
 */
export function showReadBack(service: ServiceContext, c: Context): Promise<Response> {
  return showAgentClaim(service, c, {
    show: (screen) => showOpen(service, screen),
    members: ({ registration: { facts } }) =>
      isConfirmed(facts) ? confirmedMembers(service, facts) : {},
    afterwards: HANDED_IN,
  });
}

/** `POST /claim`: the user confirms, and is led to the page that shows the code; or denies. */
export async function confirmOrDeny(service: ServiceContext, c: Context): Promise<Response> {
  const decided = await decideByForm(service, c, ({ decision }) =>
    decidingAs(service, decision === 'deny' ? 'deny' : 'confirm'),
  );
  if ('response' in decided) return decided.response;
  const { isForm, outcome, screen } = decided;
  const { facts } = screen.registration;
  if (isForm) {
    // So that loading the page again sends nothing again.
    if (outcome.kind === 'confirmed') return seeOther(claimUrl(screen.attemptToken));
    return renderEnd(service, screen, outcome, HANDED_IN);
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
  const { views } = service;
  const { facts } = screen.registration;
  const question = await claimQuestion(service, screen);
  if (!isConfirmed(facts)) {
    return page(views.site, { title: 'Give access', body: views.confirmClaim(question) });
  }
  const body = views.claimCode({ ...question, userCode: codeOf(service, facts) });
  return page(views.site, { title: 'Your code', body });
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

/**
 * `GET /claim` where the code came by mail: what it is for, and a way to deny it. The page neither asks for the
 * code nor shows it: its owner reads it to the agent.
 */
export function showMailed(service: ServiceContext, c: Context): Promise<Response> {
  return showAgentClaim(service, c, {
    show: async (screen) => {
      const body = service.views.mailedClaim(await claimQuestion(service, screen));
      return page(service.views.site, { title: 'Give access', body });
    },
  });
}

/** `POST /claim`: the user denies. To approve, the code is read to the agent. */
export async function denyMailed(service: ServiceContext, c: Context): Promise<Response> {
  const decided = await decideByForm(service, c, ({ decision }) => {
    if (decision === 'deny') return decidingAs(service, 'deny');
    throw missingMember('decision');
  });
  if ('response' in decided) return decided.response;
  const { isForm, outcome, screen } = decided;
  if (isForm) return renderEnd(service, screen, outcome);
  if (outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: 'denied', registration_id: screen.registration.facts.id });
}

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
async function showAgentClaim(
  service: ServiceContext,
  c: Context,
  { show, members, afterwards }: OpenClaimPage,
): Promise<Response> {
  const visit = await visitClaimLink(service, c);
  if ('response' in visit) return visit.response;
  const { account, asJson, screen } = visit;
  const { facts } = screen.registration;
  // What confirming would come to, so that page and form never disagree.
  const { outcome } = decide('confirm', facts, { account }, decisionContext(service));
  const isOpen = outcome.kind === 'confirmed';
  if (asJson) {
    if (!isOpen && outcome.kind !== 'claimed') throw refusalProblem(outcome);
    if (!isOpen) return json({ status: 'claimed', registration_id: facts.id });
    return json({
      registration_type: facts.type,
      scopes: facts.postClaimScopes,
      csrf_token: screen.session.csrfToken,
      ...members?.(screen),
    });
  }
  const review = await linkReviewUrl(service, account.userId, claimUrl(screen.attemptToken));
  if (review !== undefined) return seeOther(review);
  return isOpen ? show(screen) : renderEnd(service, screen, outcome, afterwards);
}
