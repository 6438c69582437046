import { AgentError } from '../agent-error.ts';
import type { Registration } from '../model.ts';

/** There is nothing to claim: claimed already, ended, or never claimable. */
export function noClaim(registration: Registration): AgentError {
  if (registration.claimed) {
    return new AgentError('The registration is claimed already.', {
      code: 'already_claimed',
      hint: 'A token for it is there to be used.',
      next: { command: 'token', args: [] },
    });
  }
  const why = registration.ended === 'revoked' ? 'was revoked' : 'can no longer be claimed';
  return new AgentError(`The registration ${why}.`, {
    code: registration.ended === 'expired' ? 'window_over' : 'registration_over',
    hint: 'Register anew.',
    next: { command: 'register', args: [registration.issuer] },
  });
}

/** The registration can be claimed, but nobody was named to do so. */
export function claimNotStarted(): AgentError {
  return new AgentError('No claim was opened yet.', {
    code: 'claim_not_started',
    hint: 'Open one, naming the user who takes over.',
    next: { command: 'claim', args: ['--email', 'EMAIL'] },
  });
}
