import type { ServiceFaultName } from '../../../src/mock-service/index.ts';
import type { Proof } from './proven-fault.ts';

/** What sees the faults of the mock service that people ask for by name, by their groups. */
export const SERVICE_PROOFS = {
  discovery: {
    wrongResource: { fails: { 'resource-metadata': ['requested-resource', 'own-resource'] } },
    wrongIssuer: { fails: { 'server-metadata': ['same-issuer'] } },
    missingChallenge: { fails: { challenge: ['bearer'] } },
    wrongMetadataMediaType: {
      fails: { 'resource-metadata': ['media-type'], 'server-metadata': ['media-type'] },
    },
    extraGrantType: { fails: { grants: ['listed'] } },
    missingAgentAuth: { fails: { 'agent-auth': ['block'] } },
    missingKeys: { fails: { 'service-keys': ['served'] } },
  },
  transport: {
    unavailable: {
      fails: {
        challenge: ['unauthenticated'],
        'resource-metadata': ['served'],
        'service-keys': ['served'],
        'skill-file': ['served'],
      },
      needs: { late: true },
    },
    crashingMalformedBody: { fails: { 'malformed-json': ['refused'] } },
    uncheckedBodySize: { fails: { oversized: ['bodies', 'chunks'] } },
    wrongRegistrationCacheControl: { fails: { 'cache-headers': ['registrations'] } },
    trustedOrigin: { fails: { cors: ['credentials'] } },
    wrongTokenErrorBody: { fails: { 'error-texts': ['json'] } },
  },
  registration: {
    missingClaimToken: { fails: { anonymous: ['registered'] } },
    wrongSecondsType: { fails: { 'registration-answers': ['expires-in', 'interval'] } },
    exposedUserCodeInLink: { fails: { 'code-format': ['code-hidden'] } },
    exposedClaimTokenInLink: { fails: { 'code-format': ['claim-token-hidden'] } },
    wrongVerificationUri: { fails: { 'code-format': ['link-address'] } },
  },
  claim: {
    shortAttempt: { fails: { 'attempt-expiry': ['not-early'] } },
    uncheckedClaimAccount: {
      fails: { 'wrong-account': ['not-claimed'], reopen: ['old-address-out'] },
    },
    noTryLimit: { fails: { 'wrong-codes': ['burnt'], 'claim-races': [] } },
    acceptedExpiredUserCode: { fails: { 'attempt-expiry': ['late-code'] } },
    stalePreClaimTokens: { fails: { anonymous: ['pre-claim-token-dead'] } },
    ignoredDenial: { fails: { denial: ['denied'] } },
    uncheckedUserCode: {
      fails: {
        'unknown-claims': ['code-bound'],
        reopen: ['old-code-over'],
        'wrong-codes': ['nothing-claimed'],
      },
    },
    uncheckedClaimCsrf: {
      fails: { 'completion-forgery': ['foreign-page'] },
      needs: { with: ['exposedSessionToSites'] },
    },
    noSlowDown: { fails: { polling: ['slow-down'] } },
    extraSlowDown: { fails: { polling: ['first-poll', 'pace'] } },
    noDelivery: {
      fails: {
        anonymous: ['claimed'],
        'service-auth': ['claimed'],
        reopen: ['new-attempt-claims'],
        'attempt-expiry': ['claimed'],
      },
    },
    wrongPendingCode: { fails: { anonymous: ['pending'], 'service-auth': ['pending'] } },
  },
  'id-jag': {
    refusedIdJag: { fails: { 'id-jag': ['taken', 'at-once'] } },
    acceptedUnverifiedEmail: { fails: { 'id-jag-addresses': ['unverified'] } },
    uncheckedAudience: { fails: { 'id-jag-audience': ['other-service'] } },
    uncheckedClientId: { fails: { 'id-jag-claims': ['client-id'] } },
    uncheckedExp: { fails: { 'id-jag-times': ['expired'] } },
    acceptedLongLifetime: { fails: { 'id-jag-times': ['lifetime'] } },
    uncheckedAuthTime: { fails: { 'id-jag-sign-in-age': ['asked', 'known-too'] } },
    acceptedReplay: { fails: { 'id-jag-replay': ['again'] } },
    noLinkConfirmation: { fails: { 'id-jag-confirmation': ['never-silent'] } },
  },
  trust: {
    uncheckedSignature: {
      fails: {
        'id-jag-headers': [
          'ecdsa',
          'signature',
          'embedded-key',
          'remote-key',
          'kid',
          'critical',
          'unencoded',
        ],
        'event-refusals': ['unauthentic'],
        'event-headers': [
          'ecdsa',
          'signature',
          'embedded-key',
          'remote-key',
          'kid',
          'critical',
          'unencoded',
        ],
        'redemption-headers': [
          'ecdsa',
          'signature',
          'embedded-key',
          'remote-key',
          'kid',
          'critical',
          'unencoded',
        ],
      },
    },
    acceptedAlgNone: {
      fails: {
        'id-jag-headers': ['alg-none'],
        'event-headers': ['alg-none'],
        'redemption-headers': ['alg-none'],
      },
    },
    trustedJku: {
      fails: {
        'id-jag-headers': ['remote-key', 'fetched'],
        'event-headers': ['remote-key', 'fetched'],
        'redemption-headers': ['remote-key', 'fetched'],
      },
    },
    uncheckedTyp: {
      fails: {
        'id-jag-kinds': ['event'],
        'id-jag-headers': ['type'],
        'event-refusals': ['type'],
        'event-kinds': ['id-jag'],
        'redemption-headers': ['type'],
      },
    },
  },
  token: {
    extraPreClaimScope: {
      fails: { anonymous: ['pre-claim-scope', 'scope-in-flight', 'no-escalation'] },
    },
    stalePreClaimAssertion: {
      fails: { anonymous: ['first-assertion-powerless', 'first-assertion-refused'] },
    },
    ignoredRequestedScope: { fails: { 'token-scope': ['narrowed', 'beyond-code'] } },
    wrongTokenCacheControl: { fails: { 'cache-headers': ['tokens'], redemption: ['uncached'] } },
    shortTokenLifetime: { fails: { 'token-expiry': ['still-good'] } },
    ignoredRevocation: { fails: { revocation: ['at-once'] } },
    wrongTokenMediaType: { fails: { exchange: ['media-type'] } },
    missingTokenType: { fails: { exchange: ['token-type'], redemption: ['token-type'] } },
    wrongExpiresInType: { fails: { exchange: ['expires-in'], redemption: ['expires-in'] } },
    refusedExchange: { fails: { 'id-jag': ['exchanged'] } },
  },
  resource: {
    refusedToken: { fails: { bearer: ['works'], 'id-jag': ['works'], redemption: ['works'] } },
    acceptedQueryToken: { fails: { bearer: ['query'] } },
    uncheckedTokenScope: { fails: { 'insufficient-scope': ['write-refused'] } },
    wrongBadTokenStatus403: { fails: { 'bearer-errors': ['refused', 'altered'] } },
    missingMetadataHint: { fails: { challenge: ['bearer', 'metadata-hint'] } },
  },
  events: {
    uncheckedEventAudience: { fails: { 'event-refusals': ['not-for-us'] } },
    ignoredEvent: {
      fails: { 'event-revocation': ['assertion-ended'], 'event-order': [], 'event-subjects': [] },
    },
    refusedEvent: { fails: { 'event-revocation': ['accepted'] } },
  },
  pages: {
    uncheckedSignInCsrf: { fails: { 'sign-in-forgery': ['foreign-page'] } },
    uncheckedReturnTo: { fails: { 'sign-in-redirects': ['after-sign-in'] } },
    wrongRedirectStatus307: { fails: { 'sign-in-redirects': ['not-resent', 'see-other'] } },
    missingFrameProtection: { fails: { 'page-headers': ['not-framed'] } },
  },
  'cross-app': {
    ignoredTokenResource: {
      fails: { 'resource-indicators': ['bound'], 'redemption-resource': ['bound'] },
    },
    noClientAuthentication: { fails: { 'redemption-client': ['id-alone'] } },
    ignoredConfirmation: { fails: { 'redemption-claims': ['confirmation'] } },
    acceptedRedeemedIdJag: { fails: { 'redemption-replay': ['again'] } },
    crashingOddJti: { fails: { 'redemption-claims': ['odd-jti'] } },
    staleIntrospection: { fails: { 'redemption-revocation': ['revoked'] } },
    slowTokenEndpoint: { fails: { redemption: ['in-time'] } },
    missingAuthorizationEndpoint: { fails: { 'cross-app-metadata': ['authorization-endpoint'] } },
    missingChallengeMethods: { fails: { 'cross-app-metadata': ['challenge-methods'] } },
    acceptedAudienceList: { fails: { 'redemption-audience': ['several'] } },
    acceptedAudiencePrefix: { fails: { 'redemption-audience': ['look-alike'] } },
    acceptedForeignClient: { fails: { 'redemption-audience': ['client'] } },
    acceptedForeignResource: { fails: { 'redemption-audience': ['resource'] } },
    extraRedeemedRefreshToken: { fails: { redemption: ['no-refresh-token'] } },
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<ServiceFaultName, Proof>>>>>;
