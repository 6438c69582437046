/**
 * The normal model: what the agent works on, whatever a service spells it (architecture.md, idea 6).
 * Instants are milliseconds since the epoch **on the server's clock** unless said otherwise; spans
 * are milliseconds.
 */
import type { IdentityType } from '../protocol/index.ts';
import type { Secret } from '../runtime/index.ts';

/** One request of a discovery, in order. */
export interface Hop {
  readonly step: 'challenge' | 'resource_metadata' | 'server_metadata';
  readonly url: string;
  /** `null` when no answer arrived. */
  readonly status: number | null;
  /** What was learnt, as a short sentence for users; peer text in it is cleaned. */
  readonly learnt: string;
}

export type WarningCode =
  | 'issuer_final_slash'
  | 'resource_final_slash'
  | 'resource_differs'
  | 'resource_covers'
  | 'resource_metadata_unusable'
  | 'no_challenge'
  | 'server_skipped'
  | 'metadata_place'
  | 'media_type'
  | 'foreign_endpoint_allowed'
  | 'no_claim_grant'
  | 'unknown_identity_type'
  | 'audience_is_resource'
  | 'token_type_missing';

/** Something wrong with a service that does not stop the agent (unless `strict`). */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** A service that speaks the protocol; every URL in it was checked. */
export interface Service {
  readonly issuer: string;
  /** The base of the protected resource, without a final slash unless the service writes one. */
  readonly resource: string;
  /** The service's own name, cleaned. */
  readonly name: string | undefined;
  readonly identityEndpoint: string;
  readonly claimEndpoint: string | undefined;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly eventsEndpoint: string | undefined;
  /** Markdown for agents; untrusted, fetched only on request and without credentials. */
  readonly skill: string | undefined;
  readonly identityTypes: readonly IdentityType[];
  readonly assertionTypes: readonly string[];
  readonly scopes: readonly string[];
  /** The claim grant to poll with; `undefined` when the service offers none (wire contract §1). */
  readonly claimGrantType: string | undefined;
  readonly dialect: DialectId;
}

export type DialectId = 'specification';

export interface Discovery {
  readonly service: Service;
  readonly hops: readonly Hop[];
  readonly warnings: readonly Warning[];
}

/** What a user needs to act: a code, and the page to type it on. */
export interface Ceremony {
  /** Text, not a number. Reveal it to the user alone; `displayUserCode` groups it. */
  readonly userCode: Secret;
  /** Plain ASCII. */
  readonly verificationUri: string;
  /**
   * Whether it may be opened or linked: https (or loopback), no userinfo, on the origin of the issuer
   * or the resource. Otherwise print it with a warning.
   */
  readonly openable: boolean;
  readonly expiresAt: number;
  /** Time left when this object was made. */
  readonly remaining: number;
  /** Between two polls. */
  readonly interval: number;
}

/** The service-signed assertion that is exchanged for access tokens. */
export interface IdentityAssertion {
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly expiresAt: number | null;
}

export interface AccessToken {
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: number | null;
}

/** One attempt of a claim: its code and its link. */
export interface ClaimAttempt {
  readonly userCode: Secret;
  readonly verificationUri: string;
  readonly expiresAt: number;
  /** Grows by five seconds with each `slow_down`, for good (RFC 8628 §3.5). */
  readonly interval: number;
  /** How it ended before its time, by the service's answer: denied, or its tries used up. */
  readonly ended: 'denied' | 'expired' | null;
  /** When the next poll is due, where a wait was given up before it. */
  readonly nextPollAt?: number;
  /** Until one interval after it was opened or polled last: no poll that nobody waits for comes sooner. */
  readonly quietUntil?: number;
}

/** A claim that is not completed yet. */
export interface OpenClaim {
  readonly token: Secret;
  /** The URL to start an attempt at, when the registration's answer named one. */
  readonly url: string | null;
  /** The end of the outer window; `null`: the service did not say. */
  readonly expiresAt: number | null;
  /** Whom the open attempt, or the registration, names. */
  readonly email: string | null;
  readonly attempt: ClaimAttempt | null;
}

/** A registration as the credential store keeps it: facts; {@link RegistrationState} is derived. */
export interface Registration {
  readonly id: string;
  readonly type: IdentityType;
  readonly issuer: string;
  /** As in {@link ServiceRecord}: where its tokens are sent. */
  readonly resource: string;
  readonly dialect: DialectId;
  /** On this machine's clock. */
  readonly createdAt: number;
  readonly assertion: IdentityAssertion | null;
  readonly token: AccessToken | null;
  /** Scopes before a claim; empty where there are none, `null`: the service did not say. */
  readonly preClaimScopes: readonly string[] | null;
  /** Scopes after a claim, or of an ID-JAG registration. `null`: the service did not say. */
  readonly postClaimScopes: readonly string[] | null;
  readonly claim: OpenClaim | null;
  readonly claimed: boolean;
  /** The user's email address, once one was named. */
  readonly email: string | null;
  /** The issuer of the ID-JAG, for `identity_assertion`. */
  readonly provider: string | null;
  /** Set once the service has answered that it is revoked or expired. */
  readonly ended: 'revoked' | 'expired' | null;
}

/**
 * The state of a registration, by what is stored (wire contract §8): `unclaimed`, `pending` (a
 * claim attempt is open), `lapsed` (it has expired, the outer window has not), `claimed`, `expired`,
 * `revoked`.
 */
export type RegistrationState =
  | 'unclaimed'
  | 'pending'
  | 'lapsed'
  | 'claimed'
  | 'expired'
  | 'revoked';

/**
 * What the store keeps of one service: an API, and the server that registers agents for it. One server
 * may do so for several APIs; each is a service of its own.
 */
export interface ServiceRecord {
  readonly issuer: string;
  readonly resource: string;
  readonly name: string | null;
  /** The server's clock minus ours, in milliseconds, as its last `Date` showed. */
  readonly clockOffset: number;
  /** The registration in use. */
  readonly current: string | null;
  readonly registrations: readonly Registration[];
}

/** A sign-in at an agent provider: the ID token that mints (RFC 8693). */
export interface ProviderSession {
  readonly issuer: string;
  readonly idToken: Secret;
  readonly expiresAt: number | null;
  readonly clockOffset: number;
  /** Who signed in, by the ID token; unverified, for display. */
  readonly account: string | null;
}

/** A sign-in at a provider that nobody has completed yet (RFC 8628). */
export interface PendingSignIn {
  readonly issuer: string;
  readonly deviceCode: Secret;
  readonly userCode: Secret;
  readonly verificationUri: string;
  readonly expiresAt: number;
  /** Grows by five seconds with each `slow_down`, for good (RFC 8628 §3.5). */
  readonly interval: number;
  /** When the next poll is due, where a wait was given up before it. */
  readonly nextPollAt?: number;
  readonly clockOffset: number;
}

/**
 * An answer of success that was not understood: the service did something, and this copy is the only
 * record of it. It may hold secrets.
 */
export interface KeptAnswer {
  /** `kept_` and eight characters: what `forgetKept` takes. */
  readonly id: string;
  readonly issuer: string;
  readonly resource: string;
  readonly name: string | null;
  /** What was asked for: `claimed` is a poll of a claim, `sign_in` is at a provider. */
  readonly of: 'registration' | 'claim' | 'claimed' | 'token' | 'sign_in';
  /** With `registration`: the type that was asked for, and for whom. */
  readonly type: IdentityType | null;
  readonly email: string | null;
  /** With `identity_assertion`: issuer and subject of the ID-JAG. Left out: not known. */
  readonly provider?: string | null;
  readonly subject?: string | null;
  /** The stored registration that it belongs to, where there is one. */
  readonly registrationId: string | null;
  /** On this machine's clock. */
  readonly keptAt: number;
  readonly status: number;
  /** The body as it came, at most 64 KiB of it. */
  readonly body: Secret;
  readonly truncated: boolean;
  /** Its members and their types, never a value: `registration_id: string`. */
  readonly members: readonly string[];
}

/** Everything in a credential store. */
export interface Credentials {
  /** The resource of the service used last. */
  readonly lastService: string | null;
  readonly services: readonly ServiceRecord[];
  readonly providers: readonly ProviderSession[];
  /** One a provider at most. */
  readonly signIns: readonly PendingSignIn[];
  /** Left out: none. */
  readonly notUnderstood?: readonly KeptAnswer[];
}
