import type { Registration } from '../model.ts';
import type { Step } from '../next-step.ts';
import type { EndedClaim } from '../outcomes.ts';
import { registerAnew } from '../records/register-step.ts';

/** A claim that did not complete, as an error says it, and the command that goes on from there. */
export function claimEnd(status: EndedClaim['status'], registration: Registration) {
  const next: Step = {
    attempt_expired: { command: 'claim', args: [] } as const,
    // It stays denied until a new attempt is opened.
    denied: { command: 'claim', args: ['--renew'] } as const,
    window_over: registerAnew(registration),
    revoked: registerAnew(registration),
  }[status];
  return { ...ENDS[status], next };
}

const ENDS = {
  attempt_expired: {
    code: 'attempt_expired',
    message: 'The code has expired; the registration can still be claimed.',
  },
  denied: { code: 'access_denied', message: 'The user denied the claim.' },
  window_over: {
    code: 'window_over',
    message: 'The time to claim the registration has expired.',
  },
  revoked: {
    code: 'registration_over',
    message: 'The registration was revoked, or its claim was already collected elsewhere.',
  },
} as const;
