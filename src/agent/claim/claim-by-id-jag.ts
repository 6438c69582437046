import type { Problem } from '../agent-error.ts';
import type { Registration, Service } from '../model.ts';
import { problemError } from '../problems/problem-error.ts';
import { userNeeded, withIdJag } from '../provider/with-id-jag.ts';
import type { Tools } from '../tools.ts';
import { readClaimEmail } from './claim-email.ts';
import type { Claimable } from './poll-claim.ts';
import { type AttemptResult, requestAttempt } from './request-attempt.ts';

/** What the service answered, and whom the ID-JAG names; `null`: nobody by an email address. */
interface Presented {
  readonly result: AttemptResult;
  readonly email: string | null;
}

/**
 * Claims with an ID-JAG that is minted for it: no code, no page (version 0.7).
 * @throws AgentError `login_needed` or `consent_needed` when the provider wants its user first.
 */
export async function claimByIdJag(
  tools: Tools,
  service: Service,
  claimable: Registration & Claimable,
  provider: string,
  signal: AbortSignal | undefined,
): Promise<Presented> {
  const presented = await withIdJag<Presented>(
    tools,
    service,
    { provider, signal },
    {
      present: async (assertion, { email }) => {
        // One for another user than the registration belongs to is not shown.
        readClaimEmail(claimable, email ?? undefined);
        const claimer = { by: 'identity_assertion', assertion } as const;
        return { result: await requestAttempt(tools, service, claimable, claimer, signal), email };
      },
      isUsedUp: ({ result }) => result.kind === 'problem' && result.problem.move === 'mint',
    },
  );
  const cannot = 'The registration cannot be claimed so';
  if ('status' in presented) throw userNeeded(presented, provider, service, cannot);
  const problem = presented.result.kind === 'problem' ? presented.result.problem : undefined;
  if (problem?.move === 'sign_in') {
    const need = {
      status: 'login_required',
      provider,
      askedBy: 'service',
      maxAge: undefined,
    } as const;
    throw userNeeded(need, provider, service, cannot).with({ problem });
  }
  if (problem?.code === 'invalid_request') throw notByIdJag(problem);
  return presented;
}

/** A service of an earlier version, most likely: what it takes is an email address. */
function notByIdJag(problem: Problem): Error {
  return problemError(problem, { command: 'claim', args: ['--email', 'EMAIL'] }).with({
    hint: 'Perhaps the service takes no ID-JAG for a claim: name the email address of the user instead.',
  });
}
