import type { Secret } from '../../runtime/index.ts';
import type { AgentSurface, Problem } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import type {
  AccessToken,
  ClaimAttempt,
  ClaimForm,
  DialectId,
  IdentityAssertion,
  OpenClaim,
  ReadBackAttempt,
  RefreshToken,
  Service,
  Warning,
} from '../model.ts';

/** What a service's metadata says, before any URL in it is checked. */
export type ServiceDraft = Omit<Service, 'issuer' | 'resource' | 'identityTypes' | 'candidates'> & {
  /** As the server's own metadata names it. */
  readonly resource: string | undefined;
  readonly identityTypes: readonly string[];
};

/** What the agent registers with. */
export type IdentityProof =
  | { readonly type: 'anonymous' }
  | { readonly type: 'service_auth'; readonly loginHint: string }
  | { readonly type: 'identity_assertion'; readonly assertion: Secret };

/** What a registration gives: an assertion, a token at once, an open claim, or several of them. */
export interface RegistrationGrant {
  readonly id: string;
  readonly assertion: IdentityAssertion | null;
  /** What calls are made with already: a direct credential, or a first token. Left out: nothing. */
  readonly token?: AccessToken | null;
  /** Left out: none. */
  readonly refresh?: RefreshToken | null;
  /** `null`: not given. */
  readonly preClaimScopes: readonly string[] | null;
  readonly postClaimScopes: readonly string[] | null;
  readonly claim: Omit<OpenClaim, 'email'> | null;
}

/** What an exchange gives, and what was odd about it. */
export interface TokenGrant {
  readonly token: AccessToken;
  readonly warnings: readonly Warning[];
}

/**
 * What a completed claim gives. Where it gives neither assertion nor token, what the registration had before
 * reaches further now.
 */
export interface ClaimGrant {
  readonly assertion: IdentityAssertion | null;
  readonly token: AccessToken | null;
  /** What the claim reaches, where it says so without a token. */
  readonly scopes?: readonly string[];
  /** Left out: none. */
  readonly refresh?: RefreshToken | null;
  readonly warnings: readonly Warning[];
}

/** Who takes a registration over. */
export type Claimer =
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'identity_assertion'; readonly assertion: Secret };

/** A body that starts a claim; its form is remembered where the service took it. */
export interface ClaimRequest extends WireRequest {
  readonly form?: ClaimForm;
}

/** What tells in which form a service takes the start of a claim. */
export interface ClaimEvidence {
  /** The form that it took before. */
  readonly form: ClaimForm | undefined;
  /** What it said to the first body. */
  readonly refusal?: Problem;
  readonly claimGrantType: string | undefined;
  /** Whether it has the email address already. */
  readonly onRecord: boolean;
}

/** The answer to the start of a claim: an attempt, or the claim is complete at once. */
export type ClaimStart =
  | {
      readonly kind: 'attempt';
      readonly attempt: ClaimAttempt;
      /** From now on in place of the one that was sent. */
      readonly claimToken?: Secret;
    }
  | { readonly kind: 'claimed'; readonly grant: ClaimGrant };

/** What a refresh token gives: the next assertion, and the refresh token after this one. */
export interface RefreshGrant {
  readonly assertion: IdentityAssertion;
  readonly refresh: RefreshToken | null;
}

/**
 * How a service spells the protocol. Encoders make requests, decoders read answers into the normal
 * model; `now` is the server's time, against which spans become instants. Decoders throw AgentError
 * (`bad_answer`, `unknown_token_type`, …) and check of a URL only that it is one.
 */
export interface Dialect {
  readonly id: DialectId;

  /** @param name what the agent calls itself. */
  readonly encodeIdentity: (
    service: Service,
    proof: IdentityProof,
    name: string | undefined,
  ) => WireRequest;
  readonly decodeRegistration: (
    answer: Answer,
    proof: IdentityProof,
    now: number,
  ) => RegistrationGrant;
  /** The body of `interaction_required`: a registration that waits for its user. */
  readonly decodeInteraction: (
    answer: Answer,
    proof: IdentityProof,
    now: number,
  ) => RegistrationGrant;

  /**
   * The second, where there is one, is sent when the first is an `invalid_request`; there is no third. It is asked
   * for again then, with the refusal.
   */
  readonly encodeClaimStart: (
    url: string,
    claimToken: Secret,
    claimer: Claimer,
    evidence: ClaimEvidence,
  ) => readonly [ClaimRequest, ClaimRequest?];
  readonly decodeClaimStart: (answer: Answer, now: number) => ClaimStart;

  /** Left out: its claims are not polled. */
  readonly encodeClaimPoll?: (
    tokenEndpoint: string,
    claimGrantType: string,
    claimToken: Secret,
  ) => WireRequest;
  readonly decodeClaimPoll?: (answer: Answer, now: number) => ClaimGrant;

  /**
   * Hands in the code that the user read back. The second is sent as with {@link encodeClaimStart}. Left out: its
   * users type the code on a page.
   */
  readonly encodeCode?: (
    url: string,
    claimToken: Secret,
    code: Secret,
    attempt: ReadBackAttempt,
  ) => readonly [WireRequest, WireRequest?];
  readonly decodeCode?: (answer: Answer, now: number) => ClaimGrant;

  readonly encodeExchange: (
    tokenEndpoint: string,
    resource: string,
    assertion: Secret,
  ) => WireRequest;
  readonly decodeExchange: (answer: Answer, now: number) => TokenGrant;

  /** Left out: an assertion is good for as often as it is exchanged. */
  readonly encodeRefresh?: (service: Service, refresh: Secret) => WireRequest;
  readonly decodeRefresh?: (answer: Answer, now: number) => RefreshGrant;

  readonly encodeRevoke: (url: string, token: Secret) => WireRequest;

  /** What a peer refused, or `undefined` when the answer reports no error. */
  readonly readProblem: (answer: Answer, surface: AgentSurface, now: number) => Problem | undefined;
}
