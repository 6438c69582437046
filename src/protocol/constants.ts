/** RFC 7523 §2.1: a service-signed identity assertion is exchanged with this grant. */
export const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** RFC 8628 §3.4: the provider's device sign-in. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 6749 §4.1.3. */
export const AUTHORIZATION_CODE_GRANT = 'authorization_code';

/** RFC 6749 §6. */
export const REFRESH_TOKEN_GRANT = 'refresh_token';

/** RFC 8693 §2.1: the provider's mint. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** draft-ietf-oauth-identity-assertion-authz-grant §3.1. */
export const ID_JAG_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id-jag';

/** RFC 8693 §3. */
export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token';

/** RFC 8693 §3. */
export const REFRESH_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:refresh_token';

/** draft-ietf-oauth-identity-assertion-authz-grant §7.2. */
export const ID_JAG_GRANT_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** The `token_type` of an answer whose `access_token` is no bearer token (RFC 8693 §2.2.1). */
export const NOT_A_BEARER = 'N_A';

/** `urn:<label>:agent-auth:grant-type:claim`; the label is each implementer's own. */
export function claimGrantType(vendor: string): string {
  return `urn:${vendor}:agent-auth:grant-type:claim`;
}

/** What every vendor's claim grant ends in, by which an agent finds it (wire contract §1). */
export const CLAIM_GRANT_ENDINGS = [':grant-type:claim', ':grant-type:claim_token'] as const;

/** What every vendor's revocation event ends in (wire contract §1). */
export const REVOKED_EVENT_ENDING = '/identity/assertion/revoked';

/** The full revocation event under a vendor's schema URL. */
export function revokedEventType(eventBase: string): string {
  return `${eventBase}/events/agent/auth${REVOKED_EVENT_ENDING}`;
}

/** The `typ` of each JWT kind. They exclude one another (RFC 8725 §3.12). */
export const JWT_TYPE = {
  idJag: 'oauth-id-jag+jwt',
  identityAssertion: 'agent-identity+jwt',
  securityEvent: 'secevent+jwt',
  idToken: 'JWT',
} as const;

/** Signature algorithms accepted on an ID-JAG or an event; the header alone never chooses (RFC 8725 §3.1). */
export const ACCEPTED_ALGORITHMS = ['ES256', 'EdDSA', 'RS256', 'PS256'] as const;

/** The families that published relatives of this protocol fall into; `flat` is the wire contract's own. */
export const DIALECT_IDS = ['flat', 'nested', 'first'] as const;
/** The name of a family of the protocol. */
export type DialectId = (typeof DIALECT_IDS)[number];

/** The forms in which a service takes the start of a claim by an email address, where its dialect has several. */
export const CLAIM_FORMS = ['email', 'login_hint', 'typed', 'bare'] as const;

/** The types of registration (wire contract §3). */
export const IDENTITY_TYPES = ['anonymous', 'identity_assertion', 'service_auth'] as const;
/** A type of registration. */
export type IdentityType = (typeof IDENTITY_TYPES)[number];

/** The media types that the protocol sends and takes. */
export const MEDIA_TYPE = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  securityEvent: 'application/secevent+jwt',
  jwkSet: 'application/jwk-set+json',
  markdown: 'text/markdown; charset=utf-8',
} as const;

/** The largest request body that a mock reads, in bytes; more is 413. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The deepest nesting of a JSON body; more is `invalid_request`. */
export const MAX_JSON_DEPTH = 32;
