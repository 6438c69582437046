import { replacing } from '../../mock/config/replacing.ts';
import { type ProviderFault, saying } from './rewiring.ts';

/** Faults: what it does wrong when it signs users in. */
export const SIGN_IN_FAULTS = {
  noSlowDown: {
    description: 'never answers slow_down (RFC 8628 §3.5)',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, lastPollAt: undefined }, now),
    }),
  },
  noDelivery: {
    description: 'never delivers a completed sign-in',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, approvedAt: undefined }, now),
    }),
  },
  ignoredDenial: {
    description: 'signs an agent in although its user denied (RFC 8628 §3.5)',
    parts: ({ devices }) => ({
      devices: replacing(devices, {
        decide: (userCodeHmac, user) => devices.decide(userCodeHmac, user, 'approve'),
      }),
    }),
  },
  wrongIdTokenAudience: {
    description: 'issues ID tokens for another client (OpenID Connect Core §2)',
    decisions: saying('idToken', () => ({ aud: 'another-client' })),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
