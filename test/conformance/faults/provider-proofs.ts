import type { ProviderFaultName } from '../../../src/mock-provider/index.ts';
import type { Proof } from './proven-fault.ts';

/** What sees the faults of the mock provider that people ask for by name, by their groups. */
export const PROVIDER_PROOFS = {
  documents: {
    wrongKeySetStatus: { fails: { 'provider-discovery': ['key-set'] } },
    missingNewKey: {
      fails: {
        'key-rotation': ['published-before-use', 'verifiable'],
        'idp-key-rotation': ['published-first'],
      },
    },
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
    wrongIdJagAudience: { fails: { mint: ['audience'], 'idp-exchange': ['audience'] } },
    wrongIdJagTyp: { fails: { mint: ['header'], 'idp-exchange': ['header'] } },
    wrongEmailVerified: { fails: { mint: ['verified-address'] } },
    missingAuthTime: { fails: { mint: ['sign-in-time'] } },
    longIdJagLifetime: { fails: { mint: ['short-lived'], 'idp-exchange': ['short-lived'] } },
    repeatedJti: { fails: { mint: ['unique'], 'idp-exchange': ['unique'] } },
    wrongIdJagSignature: { fails: { mint: ['signed'], 'idp-exchange': ['signed'] } },
    wrongIdJagIssuer: { fails: { mint: ['issuer'], 'idp-exchange': ['issuer'] } },
    wrongIdJagClientId: { fails: { mint: ['client-id'], 'idp-exchange': ['client-id'] } },
    missingEmail: { fails: { mint: ['email', 'verified-address'] } },
    uncheckedSessionAge: { fails: { 'session-age': ['stale'] } },
    refusedPublicClient: { fails: { 'token-requests': ['secretless'] } },
    missingIssuedTokenType: { fails: { mint: ['issued-type'], 'idp-exchange': ['issued-type'] } },
    wrongTokenType: { fails: { mint: ['token-type'], 'idp-exchange': ['token-type'] } },
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
    slowTokenEndpoint: { fails: { 'idp-exchange': ['in-time'] } },
    missingChallengeMethods: { fails: { 'idp-metadata': ['challenges'] } },
    missingRedirectIssuer: { fails: { 'idp-authorization': ['issuer'] } },
    wrongRedirectIssuer: { fails: { 'idp-authorization': ['issuer'] } },
    wrongState: { fails: { 'idp-authorization': ['state'] } },
    missingNonce: { fails: { 'idp-code': ['id-token'] } },
    uncheckedVerifier: { fails: { 'idp-code': ['verifier'] } },
    acceptedUsedCode: { fails: { 'idp-code': ['once'] } },
    acceptedSpentRefreshToken: { fails: { 'idp-refresh': ['spent'] } },
    noClientAuthentication: {
      fails: { 'idp-code': ['authenticated'], 'idp-exchange-refusals': ['authenticated'] },
    },
    longIdJagLifetime301: { fails: { 'idp-exchange': ['short-lived'] } },
    extraIdJagConfirmation: { fails: { 'idp-exchange': ['unbound'] } },
    missingNarrowedScope: { fails: { 'idp-exchange': ['scope-said'] } },
    missingKeys: {
      fails: {
        'provider-discovery': ['key-set'],
        'device-sign-in': ['id-token-signature'],
        mint: ['signed'],
      },
    },
    acceptedForeignIdToken: {
      fails: { 'idp-subject-tokens': ['other-client'] },
    },
    extraIdJagAudience: { fails: { mint: ['audience'], 'idp-exchange': ['audience'] } },
    extraAudienceSlash: { fails: { mint: ['audience'], 'idp-exchange': ['audience'] } },
    wrongIdJagResource: { fails: { 'mint-scope': ['resource'], 'idp-exchange': ['resource'] } },
    missingIdJagJti: { fails: { mint: ['claims'], 'idp-exchange': ['claims'] } },
    missingIdJagKey: {
      fails: {
        mint: ['signed'],
        'key-rotation': ['published-before-use', 'verifiable', 'old-key-kept'],
      },
    },
    wrongExpiresInType: { fails: { mint: ['expires-in'], 'idp-exchange': ['expires-in'] } },
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<ProviderFaultName, Proof>>>>>;
