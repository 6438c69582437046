import { userActor } from '../../mock/audit/audit.ts';
import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { json } from '../../mock/http/replies.ts';
import { page } from '../../mock/pages/page.ts';
import { sha256 } from '../../runtime/hash.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { missingMember, readDecision, visitClaimForm } from './claim-form.ts';
import { claimQuestion, renderEnd } from './claim-screen.ts';
import { findByLink } from './find-by-link.ts';
import { showAgentClaim } from './show-agent-claim.ts';

/**
 * `GET /claim` where the code came by mail: what it is for, and a way to deny it. The page neither asks for the
 * code nor shows it: its owner reads it to the agent.
 */
export function showMailed(service: ServiceContext, c: Context): Promise<Response> {
  return showAgentClaim(service, c, {
    show: async (screen) => {
      const body = service.views.mailedClaim(await claimQuestion(service, screen));
      return page(service.site, { title: 'Give access', body });
    },
  });
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
  if (isForm)
    return renderEnd(
      service,
      { registration: { ...registration, facts }, session, attemptToken },
      outcome,
    );
  if (outcome.kind !== 'denied') throw refusalProblem(outcome);
  return json({ status: 'denied', registration_id: facts.id });
}
