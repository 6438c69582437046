import { type ProviderFault, unasked } from './rewiring.ts';

/** Faults: what it does wrong with what its users agree to. */
export const CONSENT_FAULTS = {
  noConsent: {
    description: 'issues ID-JAGs without asking the user',
    decisions: unasked,
  },
  ignoredConsentRevocation: {
    description: 'answers a revocation of a consent without revoking',
    parts: () => ({ revokeConsent: async () => ({ revoked: true, event: undefined }) }),
  },
} satisfies Readonly<Record<string, ProviderFault>>;
