import { userActor } from '../../mock/audit/audit.ts';
import type { Context } from '../../mock/http/request.ts';
import { json, seeOther } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import type { Outcome } from '../claim-machine/events.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { describeCodeFormat, isUserCode } from '../config/code-format.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { decideByForm, decidingAs, missingMember, wantsJson } from './claim-form.ts';
import { showClaimLink } from './claim-link.ts';
import { type ClaimScreen, claimQuestion, claimUrl, renderEnd } from './claim-screen.ts';

/** `GET /claim` where its user types the code. With `Accept: application/json` the same for programs. */
export function showClaim(service: ServiceContext, c: Context): Promise<Response> {
  return showClaimLink(service, c, {
    // Of submitting without a code: `invalid_user_code` means that one can be typed.
    endOf: (facts, account) => {
      const input = { account, code: 'malformed' } as const;
      const { outcome } = decide('submit', facts, input, decisionContext(service));
      const isOpen = outcome.kind === 'refused' && outcome.code === 'invalid_user_code';
      return isOpen ? undefined : outcome;
    },
    // Nothing was typed yet, so nothing was wrong.
    show: (screen) => form(service, screen),
  });
}

/** `GET /c/…`: the short link, to the claim page of its attempt or first to the sign-in. */
export async function followLink(service: ServiceContext, c: Context): Promise<Response> {
  const goal = claimUrl(c.req.param('token'));
  const session = await service.sessions.find(c);
  const isIn = session?.visitor !== undefined || wantsJson(c.req.raw);
  return seeOther(isIn ? goal : signInUrl(goal));
}

/** The page for an outcome. */
async function renderOutcome(
  service: ServiceContext,
  screen: ClaimScreen,
  { outcome, typed }: { readonly outcome: Outcome; readonly typed: string },
): Promise<Response> {
  const { config, views } = service;
  if (outcome.kind !== 'refused' || outcome.code !== 'invalid_user_code') {
    return renderEnd(service, screen, outcome);
  }
  const { members, status } = refusalProblem(outcome);
  const left = members['attempts_remaining'];
  if (!isUserCode(config.codeFormat, typed)) {
    const text = `A code has ${describeCodeFormat(config.codeFormat)}. Enter the code that your agent shows you.`;
    return form(service, screen, status, text);
  }
  if (left !== 0) return form(service, screen, status, attemptsLeft(left));
  const text = 'That code is wrong, and no tries are left. Ask the agent for a new link.';
  const title = 'No tries left';
  const body = views.claimEnd({ kind: 'refused', word: 'Locked', title, text });
  return page(views.site, { title, body, status });
}

async function form(
  service: ServiceContext,
  screen: ClaimScreen,
  status = 200,
  problem?: string,
): Promise<Response> {
  const { config, views } = service;
  const body = views.claim({
    ...(await claimQuestion(service, screen)),
    codeFormat: config.codeFormat,
    ...(problem !== undefined && { problem }),
  });
  return page(views.site, { title: 'Give access', body, status });
}

function attemptsLeft(left: unknown): string {
  return `That code is wrong. ${left === 1 ? 'One try is' : `${String(left)} tries are`} left.`;
}

/**
 * `POST /agent/identity/claim/complete`, as a form or as JSON (wire contract §5). The order of checks:
 * session, CSRF, link, account, state, decision, code.
 */
export async function approveOrDeny(service: ServiceContext, c: Context): Promise<Response> {
  const { registrations, secrets } = service;
  const decided = await decideByForm(service, c, ({ decision, user_code: typed }) => {
    if (decision === 'deny') return decidingAs(service, 'deny');
    if (typed === undefined) throw missingMember('user_code');
    return (link, account) =>
      registrations.decide('submit', link, userActor(account.email), (facts) => ({
        account,
        code: secrets.checkUserCode(facts, typed),
      }));
  });
  if ('response' in decided) return decided.response;
  const { isForm, outcome, screen } = decided;
  if (isForm) return renderOutcome(service, screen, decided);
  if (outcome.kind !== 'claimed' && outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: outcome.kind, registration_id: screen.registration.facts.id });
}
