// biome-ignore-all lint/style/noExcessiveLinesPerFile: one table of data: every wire code, its status and what to do.
/**
 * The one list of wire codes: where each may appear, with which status, and what an agent does next.
 * The mocks render from it, the agent acts on it, the docs print it (wire contract §3 to §7, §9).
 */

/** What an agent does when it meets a code. */
export const AGENT_MOVES = {
  fix_request: 'send a different request; the same one fails again',
  stop: 'stop and tell the user',
  wait: 'poll again after the interval',
  slow_down: 'add 5 seconds to the interval for good, then poll again',
  reopen: 'open a new claim attempt',
  register: 'if the user still wants it, register again',
  poll_claim: 'poll the claim once if a claim is open, else stop',
  sign_in: 'take the user to a fresh sign-in at the provider, then mint again',
  consent: 'take the user to the consent page, then mint again',
  confirm: 'take the user to the claim page to confirm the link',
  ask_code: 'ask the user for the code again',
  mint: 'mint a new ID-JAG and send that',
  exchange: 'exchange the identity assertion once more, then repeat the call',
  claim: 'claim the registration to get the missing scope',
  retry_later: 'wait as Retry-After says, then send the same request',
} as const;
/** What an agent does next: a key of {@link AGENT_MOVES}. */
export type AgentMove = keyof typeof AGENT_MOVES;

/** An error code in one place of the protocol. */
export interface WireCode {
  /** The status code of HTTP. */
  readonly status: number;
  /** What the agent then does. */
  readonly next: AgentMove;
  /** Public text; printable ASCII without quotes or backslash (RFC 6749 §5.2). */
  readonly description: string;
}

const invalidRequest = {
  status: 400,
  next: 'fix_request',
  description: 'The request is malformed.',
} as const satisfies WireCode;

const unavailable = {
  status: 503,
  next: 'retry_later',
  description: 'The server cannot answer right now.',
} as const satisfies WireCode;

const noClientAuthentication = {
  status: 401,
  next: 'fix_request',
  description: 'Client authentication is not supported here.',
} as const satisfies WireCode;

/** `POST /agent/identity` (wire contract §3). */
const identity = {
  invalid_request: invalidRequest,
  invalid_login_hint: {
    status: 400,
    next: 'fix_request',
    description: 'login_hint is not an email address.',
  },
  anonymous_not_enabled: {
    status: 400,
    next: 'stop',
    description: 'Anonymous registration is not enabled.',
  },
  service_auth_not_enabled: {
    status: 400,
    next: 'stop',
    description: 'Registration by email is not enabled.',
  },
  identity_assertion_not_enabled: {
    status: 400,
    next: 'stop',
    description: 'Registration by identity assertion is not enabled.',
  },
  invalid_issuer: {
    status: 400,
    next: 'stop',
    description: 'The issuer of the assertion is not trusted here.',
  },
  invalid_signature: {
    status: 400,
    next: 'stop',
    description: 'The signature of the assertion cannot be verified.',
  },
  invalid_audience: {
    status: 400,
    next: 'stop',
    description: 'The assertion is meant for another audience.',
  },
  expired: { status: 400, next: 'mint', description: 'The assertion is not valid at this time.' },
  invalid_client_id: {
    status: 400,
    next: 'stop',
    description: 'client_id does not belong to the issuer.',
  },
  missing_verified_email: {
    status: 400,
    next: 'stop',
    description: 'The assertion carries neither a verified email nor a verified phone number.',
  },
  replay_detected: {
    status: 400,
    next: 'mint',
    description: 'The assertion was used before.',
  },
  login_required: {
    status: 401,
    next: 'sign_in',
    description: 'The user must sign in at the provider again.',
  },
  interaction_required: {
    status: 401,
    next: 'confirm',
    description: 'The user must confirm the link to an existing account.',
  },
  rate_limited: { status: 429, next: 'retry_later', description: 'Too many registrations.' },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** `POST /agent/identity/claim` (wire contract §4). */
const claim = {
  invalid_request: invalidRequest,
  invalid_claim_token: {
    status: 401,
    next: 'register',
    description: 'The claim token is unknown.',
  },
  email_mismatch: {
    status: 403,
    next: 'fix_request',
    description: 'The email differs from the one on record.',
  },
  claimed_or_in_flight: {
    status: 409,
    next: 'poll_claim',
    description: 'The registration is claimed already.',
  },
  claim_expired: {
    status: 410,
    next: 'register',
    description: 'The registration can no longer be claimed.',
  },
  too_many_attempts: {
    status: 429,
    next: 'stop',
    description: 'Too many wrong codes; no further attempt is possible.',
  },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** `POST /agent/identity/claim/complete` and `GET /claim`, the user's side (wire contract §5). */
const complete = {
  invalid_request: invalidRequest,
  login_required: { status: 401, next: 'stop', description: 'Sign in first.' },
  csrf_failed: {
    status: 403,
    next: 'stop',
    description: 'The form is out of date; load the page again.',
  },
  invalid_user_code: { status: 400, next: 'stop', description: 'The code is wrong.' },
  too_many_attempts: {
    status: 429,
    next: 'stop',
    description: 'Too many wrong codes; ask the agent for a new link.',
  },
  wrong_account: {
    status: 403,
    next: 'stop',
    description: 'This link belongs to another account.',
  },
  invalid_claim_attempt: {
    status: 404,
    next: 'stop',
    description: 'This link is unknown or was replaced by a newer one.',
  },
  claim_attempt_expired: {
    status: 410,
    next: 'stop',
    description: 'This link has expired; ask the agent for a new one.',
  },
  already_claimed: {
    status: 409,
    next: 'stop',
    description: 'The registration is claimed already.',
  },
  claim_expired: {
    status: 410,
    next: 'stop',
    description: 'The registration is expired or revoked.',
  },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/**
 * Where the agent hands in the code that its user read back to it, under the names that the two read-back
 * dialects share here; each spells them its own way.
 */
const read_back = {
  invalid_request: invalidRequest,
  invalid_claim_token: claim.invalid_claim_token,
  claim_not_started: {
    status: 409,
    next: 'reopen',
    description: 'No claim is open for this registration.',
  },
  claim_not_confirmed: {
    status: 409,
    next: 'confirm',
    description: 'The user has not confirmed the claim on its page yet.',
  },
  invalid_user_code: { status: 401, next: 'ask_code', description: 'The code is wrong.' },
  claim_attempt_expired: {
    status: 410,
    next: 'reopen',
    description: 'The code has expired or was replaced by a newer one.',
  },
  too_many_attempts: { status: 429, next: 'reopen', description: 'Too many wrong codes.' },
  access_denied: { status: 403, next: 'stop', description: 'The user denied the claim.' },
  already_claimed: {
    status: 409,
    next: 'stop',
    description: 'The registration is claimed already.',
  },
  claim_expired: claim.claim_expired,
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** Where an agent trades a refresh token of its registration for the next one and a new assertion. */
const refresh = {
  invalid_request: invalidRequest,
  invalid_refresh_token: {
    status: 401,
    next: 'register',
    description: 'The refresh token is expired, used before, revoked or unknown.',
  },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** The service's token endpoint (RFC 6749 §5.2, RFC 8628 §3.5, wire contract §6). */
const token = {
  invalid_request: invalidRequest,
  invalid_client: noClientAuthentication,
  invalid_grant: {
    status: 400,
    next: 'poll_claim',
    description: 'The grant is expired, revoked, superseded or unknown.',
  },
  unauthorized_client: {
    status: 400,
    next: 'stop',
    description: 'This client may not use this grant.',
  },
  unsupported_grant_type: {
    status: 400,
    next: 'fix_request',
    description: 'This grant type is not supported.',
  },
  invalid_scope: {
    status: 400,
    next: 'fix_request',
    description: 'The scope goes beyond what the registration has.',
  },
  invalid_target: {
    status: 400,
    next: 'fix_request',
    description: 'The resource is unknown here.',
  },
  authorization_pending: {
    status: 400,
    next: 'wait',
    description: 'The user has not completed the claim.',
  },
  slow_down: {
    status: 400,
    next: 'slow_down',
    description: 'Polling too fast; add 5 seconds to the interval.',
  },
  expired_token: {
    status: 400,
    next: 'reopen',
    description: 'The claim attempt or its token has expired.',
  },
  access_denied: { status: 400, next: 'stop', description: 'The user denied the claim.' },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** `POST /oauth2/revoke` (RFC 7009 §2.2.1). */
const revocation = {
  invalid_request: invalidRequest,
  invalid_client: noClientAuthentication,
  unsupported_token_type: {
    status: 400,
    next: 'fix_request',
    description: 'An identity assertion cannot be revoked here.',
  },
  temporarily_unavailable: { ...unavailable, description: 'The token may still be valid.' },
} as const satisfies Record<string, WireCode>;

/** `POST /agent/event/notify` (RFC 8935 §2.4). */
const events = {
  invalid_request: { ...invalidRequest, description: 'The event is malformed.' },
  invalid_key: {
    status: 400,
    next: 'stop',
    description: 'The key of the event is unknown or not allowed.',
  },
  invalid_issuer: { status: 400, next: 'stop', description: 'The issuer is not trusted here.' },
  invalid_audience: {
    status: 400,
    next: 'stop',
    description: 'The event is meant for another audience.',
  },
  authentication_failed: {
    status: 400,
    next: 'stop',
    description: 'The signature of the event is wrong.',
  },
  access_denied: {
    status: 400,
    next: 'stop',
    description: 'The issuer is not allowed to act for this subject.',
  },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** A protected resource (RFC 6750 §3.1). */
const resource = {
  invalid_request: invalidRequest,
  /** Stands in the body alone: a challenge without a token carries no error (RFC 6750 §3.1). */
  missing_token: { status: 401, next: 'exchange', description: 'An access token is required.' },
  invalid_token: {
    status: 401,
    next: 'exchange',
    description: 'The access token is expired, revoked or unknown.',
  },
  insufficient_scope: {
    status: 403,
    next: 'claim',
    description: 'The access token lacks a scope that this call needs.',
  },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** The provider's device authorization and token endpoints (RFC 8628 §3.5, RFC 8693 §2.2.2, wire contract §9). */
const provider = {
  invalid_request: invalidRequest,
  invalid_client: { status: 401, next: 'stop', description: 'The client is unknown.' },
  invalid_grant: {
    status: 400,
    next: 'sign_in',
    description: 'The session or the code is expired, used or unknown.',
  },
  unauthorized_client: {
    status: 400,
    next: 'stop',
    description: 'This client may not use this grant.',
  },
  unsupported_grant_type: {
    status: 400,
    next: 'fix_request',
    description: 'This grant type is not supported.',
  },
  invalid_scope: { status: 400, next: 'fix_request', description: 'The scope is unknown.' },
  invalid_target: { status: 400, next: 'stop', description: 'The audience is unknown.' },
  consent_required: {
    status: 400,
    next: 'consent',
    description: 'The user has not consented to be identified to this audience.',
  },
  invalid_dpop_proof: {
    status: 400,
    next: 'fix_request',
    description: 'DPoP is not supported here (RFC 9449).',
  },
  insufficient_user_authentication: {
    status: 400,
    next: 'sign_in',
    description: 'The sign-in is too old.',
  },
  authorization_pending: {
    status: 400,
    next: 'wait',
    description: 'The user has not finished signing in.',
  },
  slow_down: {
    status: 400,
    next: 'slow_down',
    description: 'Polling too fast; add 5 seconds to the interval.',
  },
  access_denied: { status: 400, next: 'stop', description: 'The user denied the request.' },
  expired_token: { status: 400, next: 'sign_in', description: 'The device code has expired.' },
  temporarily_unavailable: unavailable,
} as const satisfies Record<string, WireCode>;

/** Every error code, by the place where it appears. docs/wire-codes.md prints them all. */
export const WIRE_CODES = {
  identity,
  claim,
  complete,
  read_back,
  refresh,
  token,
  revocation,
  events,
  resource,
  provider,
} as const;

/** Where a code appears. */
export type Surface = keyof typeof WIRE_CODES;
/** The codes that one place knows. */
export type CodeAt<S extends Surface> = keyof (typeof WIRE_CODES)[S] & string;

/** The entry of a code, or `undefined` for a code that this surface does not define. */
export function wireCode(surface: Surface, code: string): WireCode | undefined {
  const table: Readonly<Record<string, WireCode>> = WIRE_CODES[surface];
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
