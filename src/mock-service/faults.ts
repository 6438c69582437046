/**
 * What the mock service can be told to do wrong, each with the requirement that it breaks. A fault is
 * asked for where a real service would have the mistake.
 */
export const SERVICE_FAULTS = {
  replayAccepted: 'takes the same ID-JAG again (RFC 7523 §3, jti)',
  signatureUnchecked: 'does not verify the signatures of a provider (RFC 7515 §5.2)',
  audienceUnchecked: 'takes an ID-JAG that is for another service (RFC 7523 §3, aud)',
  signInAgeUnchecked: 'takes an ID-JAG whatever its auth_time',
  silentLink: 'links an existing account without asking its user',
  noSlowDown: 'never answers slow_down (RFC 8628 §3.5)',
  slowDownAlways: 'answers slow_down to every poll of an open attempt',
  pendingForever: 'never delivers a completed claim',
  wrongCodesUncounted: 'lets a code be guessed without end (RFC 8628 §5.1)',
  strangerMayClaim: 'lets any signed-in account complete a claim',
  lateCodeAccepted: 'takes a code after its attempt is over (RFC 8628 §3.2, expires_in)',
  csrfUnchecked: 'takes a claim form from any page (RFC 9700 §4.7)',
  preClaimScopeWide: 'gives the scopes of after the claim before it',
  oldTokensLive: 'keeps the access tokens of before a claim alive',
  oldAssertionLives: 'takes the assertion of before a claim after it',
  revocationIgnored: 'answers a revocation without revoking (RFC 7009 §2)',
  eventIgnored: 'answers a revocation event without acting on it (RFC 8935 §2.2)',
  tokensRefused: 'refuses every access token at its resources',
  cacheableTokens: 'lets answers with tokens be cached (RFC 6749 §5.1)',
  noMetadataHint: 'does not say in its challenge where its metadata is (RFC 9728 §5.1)',
  foreignResource: 'names another resource in its metadata (RFC 9728 §3.3)',
  foreignIssuer: 'names another issuer in its metadata (RFC 8414 §3.3)',
  unavailable: 'answers 503 to everything but its controls',
} as const satisfies Readonly<Record<string, string>>;

export type ServiceFault = keyof typeof SERVICE_FAULTS;

export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as readonly ServiceFault[];
