/**
 * The normal model: what the agent works on, whatever a service spells it (architecture.md, idea 6).
 * Instants are milliseconds since the epoch **on the server's clock** unless said otherwise; spans
 * are milliseconds.
 */
import type { CLAIM_FORMS, DialectId, IdentityType } from '../protocol/index.ts';
import type { Recognition } from '../recognise/index.ts';
import type { Secret } from '../runtime/index.ts';

/** One request of a discovery, in order. */
export interface Hop {
  readonly step: 'challenge' | 'resource_metadata' | 'server_metadata' | 'skill_file';
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
  | 'metadata_defect'
  | 'unknown_identity_type'
  | 'audience_is_resource'
  | 'token_type_missing'
  | 'not_renewable';

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
  /** `undefined` where the registration itself gives what calls are made with. */
  readonly tokenEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  readonly eventsEndpoint: string | undefined;
  /** Markdown for agents; untrusted, fetched only on request and without credentials. */
  readonly skill: string | undefined;
  readonly identityTypes: readonly IdentityType[];
  readonly assertionTypes: readonly string[];
  readonly scopes: readonly string[];
  /** The claim grant to poll with; `undefined` when the service offers none (wire contract §1). */
  readonly claimGrantType: string | undefined;
  /** Where a code is handed in, where the metadata names it. */
  readonly codeEndpoint?: string | undefined;
  /** Where the proof of work for a registration is asked for, where it wants one. */
  readonly challengeEndpoint?: string | undefined;
  /** How it takes an email address, where its metadata shows that. */
  readonly emailForm?: EmailForm | undefined;
  /** The kinds of credential that a registration may ask for. Left out: it does not say. */
  readonly credentialTypes?: readonly string[] | undefined;
  /** The header that its direct credentials are sent in. Left out: `Authorization`, as a bearer token. */
  readonly credentialHeader?: string | undefined;
  /**
   * The dialects that it may speak, the most likely first; never empty. The answer to a registration settles
   * which one: what follows goes by {@link Registration.dialect}.
   */
  readonly candidates: readonly [DialectId, ...DialectId[]];
}

/** How an email address is registered: as `service_auth`, or as the first versions did. */
export type EmailForm = 'service_auth' | 'verified_email_assertion' | 'verified_email_type';

export type { DialectId };

export interface Discovery {
  readonly service: Service;
  /** What its documents amount to, and what is wrong in them. */
  readonly recognition: Recognition;
  readonly hops: readonly Hop[];
  readonly warnings: readonly Warning[];
}

interface CeremonyFacts {
  /**
   * Whether the page may be opened or linked: https (or loopback), no userinfo, on the origin of the issuer
   * or the resource. Otherwise print it with a warning.
   */
  readonly openable: boolean;
  readonly expiresAt: number;
  /** Time left when this object was made. */
  readonly remaining: number;
}

/** The user types the agent's code on a page, while the agent polls: `waitForClaim`. */
export interface TypeThereCeremony extends CeremonyFacts {
  readonly kind: 'type_there';
  /** Text, not a number. Reveal it to the user alone; `displayUserCode` groups it. */
  readonly userCode: Secret;
  /** Plain ASCII. */
  readonly verificationUri: string;
  /** Between two polls. */
  readonly interval: number;
}

/** The user reads a code to the agent, which hands it in: `submitCode`. */
export interface ReadBackCeremony extends CeremonyFacts {
  readonly kind: 'read_back';
  /** The page that shows the code to its signed-in user, plain ASCII; `null`: it comes by mail. */
  readonly verificationUri: string | null;
  /** Whom the mail goes to, where that is known. */
  readonly mailedTo: string | null;
}

/** What a user needs to act. */
export type Ceremony = TypeThereCeremony | ReadBackCeremony;

/** The service-signed assertion that is exchanged for access tokens. */
export interface IdentityAssertion {
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly expiresAt: number | null;
}

/** What calls are made with. */
export interface AccessToken {
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly scopes: readonly string[] | null;
  /** `null`: the service did not say, or it never ends. */
  readonly expiresAt: number | null;
  /** Given by the registration itself, an API key for one: no exchange makes another. Left out: no. */
  readonly direct?: true;
  /** The header that it is sent in. Left out: `Authorization`, as a bearer token (RFC 6750 §2.1). */
  readonly header?: string;
}

/** What gets the next assertion, once: each use gives another (RFC 9700 §4.14.2). */
export interface RefreshToken extends IdentityAssertion {
  /** On this machine's clock: when a process sent it whose answer is not known yet. Left out: none did. */
  readonly sentAt?: number;
}

/** One attempt of a claim. */
export type ClaimAttempt = TypeThereAttempt | ReadBackAttempt;

interface AttemptFacts {
  readonly expiresAt: number;
  /** How it ended before its time, by the service's answer: denied, or its tries used up. */
  readonly ended: 'denied' | 'expired' | null;
}

/** Its code is shown or mailed to the user, who reads it to the agent. */
export interface ReadBackAttempt extends AttemptFacts {
  readonly kind: 'read_back';
  /** `null`: the code comes by mail. */
  readonly verificationUri: string | null;
  /** Where the code is handed in, when the answer named it. */
  readonly submitUrl: string | null;
}

/** Its code is the agent's, for the user to type on its page. */
export interface TypeThereAttempt extends AttemptFacts {
  readonly kind: 'type_there';
  readonly userCode: Secret;
  readonly verificationUri: string;
  /** Grows by five seconds with each `slow_down`, for good (RFC 8628 §3.5). */
  readonly interval: number;
  /** When the next poll is due, where a wait was given up before it. */
  readonly nextPollAt?: number;
  /** Until one interval after it was opened or polled last: no poll that nobody waits for comes sooner. */
  readonly quietUntil?: number;
}

/**
 * In which form a service takes the start of a claim by an email address, where its dialect has several: as
 * `email`, as `login_hint`, that with its type, or not at all, since it has it.
 */
export type ClaimForm = (typeof CLAIM_FORMS)[number];

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
  /** The form that the service took last. Left out: none, or its dialect has one alone. */
  readonly form?: ClaimForm;
}

/** A registration as the credential store keeps it: facts; {@link RegistrationState} is derived. */
export interface Registration {
  readonly id: string;
  readonly type: IdentityType;
  readonly issuer: string;
  /** As in {@link ServiceRecord}: where its tokens are sent. */
  readonly resource: string;
  /** By the service's answers: a later one may correct it. */
  readonly dialect: DialectId;
  /** On this machine's clock. */
  readonly createdAt: number;
  readonly assertion: IdentityAssertion | null;
  /** Left out: none was given. */
  readonly refresh?: RefreshToken | null;
  readonly token: AccessToken | null;
  /** Members that the service demands of every request, by the user's word. Left out: none. */
  readonly members?: Readonly<Record<string, string>>;
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
  readonly of: 'registration' | 'claim' | 'claimed' | 'token' | 'refresh' | 'sign_in';
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
