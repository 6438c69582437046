/**
 * What the mock provider can be told to do wrong, each with the requirement that it breaks. A fault is
 * asked for where a real provider would have the mistake.
 */
export const PROVIDER_FAULTS = {
  wrongAudience: 'mints ID-JAGs for another service (RFC 8693 §2.1, audience)',
  wrongType: 'mints ID-JAGs without their typ (RFC 8725 §3.11)',
  unverifiedEmail: 'does not say that the email is verified',
  missingAuthTime: 'does not say when the user signed in',
  longLived: 'mints ID-JAGs that live for two hours',
  reusedJti: 'gives every ID-JAG the same jti (RFC 7519 §4.1.7)',
  consentSkipped: 'mints without asking the user',
  eventsUnsent: 'sends no revocation event',
  keysUnavailable: 'answers 503 instead of its keys',
  unavailable: 'answers 503 to everything but its controls',
} as const satisfies Readonly<Record<string, string>>;

export type ProviderFault = keyof typeof PROVIDER_FAULTS;

export const PROVIDER_FAULT_NAMES = Object.keys(PROVIDER_FAULTS) as readonly ProviderFault[];
