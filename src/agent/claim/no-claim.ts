import { AgentError } from '../agent-error.ts';
import type { ReadBackAttempt, Registration } from '../model.ts';
import type { EndedClaim } from '../outcomes.ts';
import { registerStep } from '../records/register-step.ts';
import { AFTER_DENIAL } from '../records/registration-state.ts';

/** The end of a claim as it is stored: the outcome of every later request. */
export function endedClaim(
  registration: Registration,
): EndedClaim<'window_over' | 'revoked'> | undefined {
  if (registration.ended === null) return undefined;
  return { status: registration.ended === 'expired' ? 'window_over' : 'revoked', registration };
}

/** The same where nothing is open. @throws AgentError `already_claimed` or `no_claim` where it has not ended. */
export function closedClaim(registration: Registration): EndedClaim<'window_over' | 'revoked'> {
  const ended = endedClaim(registration);
  if (ended === undefined) throw noClaim(registration);
  return ended;
}

/** There is nothing to claim: claimed already, or never claimable. */
export function noClaim(registration: Registration): AgentError {
  if (registration.claimed) {
    return new AgentError('The registration is claimed already.', {
      code: 'already_claimed',
      hint: 'Use its token.',
      next: { command: 'token', args: [] },
    });
  }
  if (registration.type === 'identity_assertion') {
    return new AgentError(
      'There is nothing to claim: the registration belongs to its user already.',
      {
        code: 'no_claim',
        hint: 'Use its token.',
        next: { command: 'token', args: [] },
      },
    );
  }
  return new AgentError('The service offered no claim for this registration.', {
    code: 'no_claim',
    hint: 'If a user is to take over, register by email.',
    next: registerStep(registration.resource, ['service_auth']),
  });
}

/** There is nothing to poll: the user has the code, and the agent hands it in. */
export function codeNeeded({ verificationUri }: ReadBackAttempt): AgentError {
  const where = verificationUri === null ? 'the mail' : 'the page';
  return new AgentError(`The claim waits for the code that ${where} shows to its user.`, {
    code: 'code_needed',
    hint: 'Ask the user for it, and hand it in.',
    next: { command: 'claim', args: ['--code', 'CODE'] },
  });
}

/** The registration stays, and its user has decided. */
export function claimDenied(): AgentError {
  return new AgentError('The user denied the claim, so there is no token.', {
    code: 'access_denied',
    ...AFTER_DENIAL,
  });
}

/** The user types the code on its page; the agent has nothing to hand in. */
export function codeForPage(): AgentError {
  return new AgentError('The user types this code on its page: it is not to be handed in here.', {
    code: 'code_for_page',
    hint: 'Show the user the page and the code, then wait.',
    next: { command: 'claim wait', args: [] },
  });
}

/** The registration can be claimed, but nobody was named to do so. */
export function claimNotStarted(): AgentError {
  return new AgentError('No claim was opened yet.', {
    code: 'claim_not_started',
    hint: 'Open one with the email address of the user who takes over.',
    next: { command: 'claim', args: ['--email', 'EMAIL'] },
  });
}
