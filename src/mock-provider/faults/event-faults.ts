import { JWT_TYPE } from '../../protocol/constants.ts';
import type { Attempt } from '../outbox/outbox-entry.ts';
import { type ProviderFault, type Redecided, saying, tampered } from './rewiring.ts';

/** What an attempt came to is taken for something else. */
export function misjudging(change: (attempt: Attempt) => Attempt): Redecided {
  return (right) => ({
    ...right,
    afterAttempt: (attempt, ...rest) => right.afterAttempt(change(attempt), ...rest),
  });
}

/** Faults: what it does wrong when it notifies services of revoked consents. */
export const EVENT_FAULTS = {
  noEvent: {
    description: 'sends no revocation event',
    parts: () => ({ sendEvent: async () => ({ kind: 'delivered' }) }),
  },
  missingEventJti: {
    description: 'sends events without jti (RFC 8417 §2.2)',
    decisions: saying('event', () => ({ jti: undefined })),
  },
  wrongEventSubject: {
    description: 'names another subject in an event than in its ID-JAGs',
    decisions: (right) => ({
      ...right,
      event: ({ entry, ...facts }) =>
        right.event({ ...facts, entry: { ...entry, subject: entry.email } }),
    }),
  },
  wrongEventSignature: {
    description: 'sends events with a wrong signature',
    parts: tampered(JWT_TYPE.securityEvent),
  },
  noEventRetry: {
    description: 'does not retry a delivery that failed (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'failed' ? { kind: 'refused', problem: attempt.problem } : attempt,
    ),
  },
  repeatedDeliveredEvent: {
    description: 'sends an event again that was accepted (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'delivered' ? { kind: 'failed', problem: { code: 'taken' } } : attempt,
    ),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
