import type { Context } from '../../mock/http/request.ts';
import { json, seeOther } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { decideByForm, decidingAs, missingMember } from './claim-form.ts';
import { type OpenClaimPage, showClaimLink } from './claim-link.ts';
import { type ClaimScreen, claimQuestion, claimUrl, renderEnd } from './claim-screen.ts';

/**
 * `GET /claim` where the page shows the code: first the question, once it is answered the code, each time the
 * page is loaded. With `Accept: application/json` the same for programs.
 */
export function showReadBack(service: ServiceContext, c: Context): Promise<Response> {
  return showClaimLink(service, c, {
    ...toBeConfirmed(service),
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

/** Where the agent hands the code in, a claim is open as long as its user could confirm it. */
function toBeConfirmed(service: ServiceContext): Pick<OpenClaimPage, 'endOf'> {
  return {
    endOf: (facts, account) => {
      const { outcome } = decide('confirm', facts, { account }, decisionContext(service));
      return outcome.kind === 'confirmed' ? undefined : outcome;
    },
  };
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
  return showClaimLink(service, c, {
    ...toBeConfirmed(service),
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
