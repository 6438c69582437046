import type { ProviderFaultName } from '../../../src/mock-provider/index.ts';
import type { Proof } from './proven-fault.ts';

/** What sees the faults of the mock provider that people ask for by name, by their groups. */
export const PROVIDER_PROOFS = {
  documents: {
    wrongKeySetStatus: { fails: { 'provider-discovery': ['key-set'] } },
    missingNewKey: { fails: { 'key-rotation': ['published-before-use', 'verifiable'] } },
    missingOldKey: { fails: { 'key-rotation': ['old-key-kept'] } },
    unavailable: { fails: {} },
    wrongIssuer: { fails: { 'provider-discovery': ['issuer'] } },
  },
  'sign-in': {
    noSlowDown: { fails: { 'device-sign-in': ['slow-down'] } },
    noDelivery: { fails: { 'device-sign-in': ['signed-in'] } },
    ignoredDenial: { fails: { 'device-denied': ['no-token', 'code'] } },
    wrongIdTokenAudience: { fails: { 'device-sign-in': ['id-token-audience'] } },
  },
  minting: {
    wrongIdJagAudience: { fails: { mint: ['audience'] } },
    wrongIdJagTyp: { fails: { mint: ['header'] } },
    wrongEmailVerified: { fails: { mint: ['verified-address'] } },
    missingAuthTime: { fails: { mint: ['sign-in-time'] } },
    longIdJagLifetime: { fails: { mint: ['short-lived'] } },
    repeatedJti: { fails: { mint: ['unique'] } },
    wrongIdJagSignature: { fails: { mint: ['signed'] } },
    wrongIdJagIssuer: { fails: { mint: ['issuer'] } },
    wrongIdJagClientId: { fails: { mint: ['client-id'] } },
    missingEmail: { fails: { mint: ['email', 'verified-address'] } },
    uncheckedSessionAge: { fails: { 'session-age': ['stale'] } },
    refusedPublicClient: { fails: { 'token-requests': ['secretless'] } },
    missingIssuedTokenType: { fails: { mint: ['issued-type'] } },
    wrongTokenType: { fails: { mint: ['token-type'] } },
  },
  consents: {
    noConsent: { fails: { consent: ['asked'] } },
    ignoredConsentRevocation: { fails: { 'consent-revoked': ['refused'] } },
  },
  events: {
    noEvent: { fails: { 'event-sent': ['sent'] } },
    missingEventJti: { fails: { 'event-sent': ['claims'] } },
    wrongEventSubject: { fails: { 'event-sent': ['subject'] } },
    wrongEventSignature: { fails: { 'event-sent': ['signed'] } },
    noEventRetry: { fails: { 'event-retry': ['retried'] } },
    repeatedDeliveredEvent: { fails: { 'event-retry': ['once'] } },
  },
  'cross-app': {
    missingKeys: {
      fails: {
        'provider-discovery': ['key-set'],
        'device-sign-in': ['id-token-signature'],
        mint: ['signed'],
      },
    },
    acceptedForeignIdToken: { fails: { 'subject-token': ['other-client'] } },
    extraIdJagAudience: { fails: { mint: ['audience'] } },
    extraAudienceSlash: { fails: { mint: ['audience'] } },
    wrongIdJagResource: { fails: { 'mint-scope': ['resource'] } },
    missingIdJagJti: { fails: { mint: ['claims', 'unique'] } },
    missingIdJagKey: {
      fails: {
        mint: ['signed'],
        'key-rotation': ['published-before-use', 'verifiable', 'old-key-kept'],
      },
    },
    wrongExpiresInType: { fails: { mint: ['expires-in'] } },
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<ProviderFaultName, Proof>>>>>;
