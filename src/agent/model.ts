/**
 * The normal model: what the agent works on, whatever a service spells it (architecture.md, idea 6).
 * Instants are milliseconds since the epoch **on the server's clock** unless said otherwise; spans
 * are milliseconds.
 */

import type { Recognition } from '../discovery/index.ts';
import type { CLAIM_FORMS, DialectId, IdentityType } from '../protocol/index.ts';
import type { Secret } from '../runtime/index.ts';
import type { CrossAppAccess, KeptClient } from './client-model.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { PageSignIn, PendingSignIn, ProviderSession } from './sign-ins.ts';

/** One request of a discovery, in order. */
export interface Hop {
  /** What was asked for. */
  readonly step: 'challenge' | 'resource_metadata' | 'server_metadata' | 'skill_file';
  /** The URL that was asked. */
  readonly url: string;
  /** Left out: GET. */
  readonly method?: 'POST';
  /** `null` when no answer arrived. */
  readonly status: number | null;
  /** What was learnt, as a short sentence for users; peer text in it is cleaned. */
  readonly learnt: string;
}

/** What is odd about a service and does not stop the agent. A stable name for programs. */
export type WarningCode =
  | 'issuer_missing'
  | 'issuer_final_slash'
  | 'resource_final_slash'
  | 'resource_differs'
  | 'resource_covers'
  | 'resource_metadata_unusable'
  | 'no_challenge'
  | 'challenge_unquoted'
  | 'byte_order_mark'
  | 'server_skipped'
  | 'metadata_place'
  | 'media_type'
  | 'foreign_endpoint_allowed'
  | 'metadata_defect'
  | 'unknown_identity_type'
  | 'audience_is_resource'
  | 'token_type_missing'
  | 'token_member_type'
  | 'not_renewable'
  | 'no_claim_grant'
  | 'environment_token_unused'
  | 'profile_not_listed'
  | 'scope_narrowed';

/** Something wrong with a service that does not stop the agent (unless `strict`). */
export interface Warning {
  /** What went wrong, as a name for programs. */
  readonly code: WarningCode;
  /** The message for people. The wording may change. */
  readonly message: string;
}

/** A service that speaks the protocol; every URL in it was checked. */
export interface Service {
  /** The issuer of its authorization server. */
  readonly issuer: string;
  /** The base of the protected resource, without a final slash unless the service writes one. */
  readonly resource: string;
  /** The service's own name, cleaned. */
  readonly name: string | undefined;
  /** Where agents register; empty where an ID-JAG at the token endpoint is all that is taken. */
  readonly identityEndpoint: string;
  /** Where claims are opened; `undefined` where it has none. */
  readonly claimEndpoint: string | undefined;
  /** `undefined` where the registration itself gives what calls are made with. */
  readonly tokenEndpoint: string | undefined;
  /** Where tokens are revoked (RFC 7009). */
  readonly revocationEndpoint: string | undefined;
  /** Where providers send security events. */
  readonly eventsEndpoint: string | undefined;
  /** Markdown for agents; untrusted, fetched only on request and without credentials. */
  readonly skill: string | undefined;
  /** The types of registration that it offers. */
  readonly identityTypes: readonly IdentityType[];
  /** The types of assertion that a registration by `identity_assertion` may hand over. */
  readonly assertionTypes: readonly string[];
  /** What it offers; empty where it does not say. */
  readonly scopes: readonly string[];
  /** The claim grant to poll with; `undefined` when the service offers none (wire contract §1). */
  readonly claimGrantType: string | undefined;
  /** Where a code is handed in, where the metadata names it. */
  readonly codeEndpoint?: string | undefined;
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

export type * from './ceremony-model.ts';
export type {
  CrossAppAccess,
  DialectId,
  KeptAnswer,
  KeptClient,
  PageSignIn,
  PendingSignIn,
  ProviderSession,
};

/** What a discovery found: the service, what its documents amount to, and each request on the way. */
export interface Discovery {
  /** The service itself. */
  readonly service: Service;
  /** What its documents amount to, and what is wrong in them. */
  readonly recognition: Recognition;
  /** The requests, in order. */
  readonly hops: readonly Hop[];
  /** What is odd and stops nothing. */
  readonly warnings: readonly Warning[];
}

/** The service-signed assertion that is exchanged for access tokens. */
export interface IdentityAssertion {
  /** The assertion itself. */
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly expiresAt: number | null;
}

/** What calls are made with. */
export interface AccessToken {
  /** The token itself: what goes behind `Bearer`, or into `header`. */
  readonly value: Secret;
  /** `null`: the service did not say. */
  readonly scopes: readonly string[] | null;
  /** `null`: the service did not say, or it never ends. */
  readonly expiresAt: number | null;
  /** Given by the registration itself, an API key for one: no exchange makes another. Left out: no. */
  readonly direct?: true;
  /** The header that it is sent in. Left out: `Authorization`, as a bearer token (RFC 6750 §2.1). */
  readonly header?: string;
  /** Where the user of a credential that the registration gave signs in, as the service names it. Left out: nowhere. */
  readonly loginUrl?: string;
}

/** What gets the next assertion, once: each use gives another (RFC 9700 §4.14.2). */
export type RefreshToken = IdentityAssertion;

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
  /** When the next poll is due, in whatever process: one interval after it was opened or polled last. */
  readonly nextPollAt?: number;
}

/**
 * In which form a service takes the start of a claim by an email address, where its dialect has several: as
 * `email`, as `login_hint`, that with its type, or not at all, since it has it.
 */
export type ClaimForm = (typeof CLAIM_FORMS)[number];

/** A claim that is not completed yet. */
export interface OpenClaim {
  /** What polls ask with. */
  readonly token: Secret;
  /** The URL to start an attempt at, when the registration's answer named one. */
  readonly url: string | null;
  /** The end of the outer window; `null`: the service did not say. */
  readonly expiresAt: number | null;
  /** Whom the open attempt, or the registration, names. */
  readonly email: string | null;
  /** The attempt that is open, or was last. */
  readonly attempt: ClaimAttempt | null;
  /** The form that the service took last. Left out: none, or its dialect has one alone. */
  readonly form?: ClaimForm;
}

/** A registration as the credential store keeps it: facts; {@link RegistrationState} is derived. */
export interface Registration {
  /** The service's own. */
  readonly id: string;
  /** How it was registered. */
  readonly type: IdentityType;
  /** The issuer of the authorization server. */
  readonly issuer: string;
  /** The resource where its tokens are sent, as in {@link ServiceRecord}. */
  readonly resource: string;
  /** The dialect of the service's answers: a later one may correct it. */
  readonly dialect: DialectId;
  /** When the registration was made, on this machine's clock. */
  readonly createdAt: number;
  /** What tokens are exchanged for. */
  readonly assertion: IdentityAssertion | null;
  /** Left out: none was given. */
  readonly refresh?: RefreshToken | null;
  /** What calls are made with. */
  readonly token: AccessToken | null;
  /** Members that the service demands of every request, by the user's word. Left out: none. */
  readonly members?: Readonly<Record<string, string>>;
  /** Scopes before a claim; empty where there are none, `null`: the service did not say. */
  readonly preClaimScopes: readonly string[] | null;
  /** Scopes after a claim, or of an ID-JAG registration. `null`: the service did not say. */
  readonly postClaimScopes: readonly string[] | null;
  /** The claim that is not completed yet. */
  readonly claim: OpenClaim | null;
  /** Whether a user has claimed it. */
  readonly claimed: boolean;
  /** The user's email address, once one was named. */
  readonly email: string | null;
  /** The issuer of the ID-JAG, for `identity_assertion`. */
  readonly provider: string | null;
  /** Its ID-JAG was given, not minted here: so is the next one. Left out: it was not. */
  readonly assertionGiven?: true;
  /** No registration of the service's, but the access of a client that an ID-JAG gives. Left out: it is one. */
  readonly crossApp?: CrossAppAccess;
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
  /** The issuer of its authorization server. */
  readonly issuer: string;
  /** The base of its protected resource. */
  readonly resource: string;
  /** Its own name, cleaned. */
  readonly name: string | null;
  /** The server's clock minus ours, in milliseconds, as its last `Date` showed. */
  readonly clockOffset: number;
  /** The registration in use. */
  readonly current: string | null;
  /** All that are kept. */
  readonly registrations: readonly Registration[];
}

/** Everything in a credential store. */
export interface Credentials {
  /** The resource of the service used last. */
  readonly lastService: string | null;
  readonly services: readonly ServiceRecord[];
  readonly providers: readonly ProviderSession[];
  /** The sign-ins that wait for a code, one a provider at most. */
  readonly signIns: readonly PendingSignIn[];
  /** The sign-ins that wait for a page, one a client and provider at most. Left out: none. */
  readonly pageSignIns?: readonly PageSignIn[];
  /** The clients, one a server at most. Left out: none. */
  readonly clients?: readonly KeptClient[];
  /** Left out: none. */
  readonly notUnderstood?: readonly KeptAnswer[];
}
