import type { JsonObject } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { AgentSurface, Problem } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import type {
  AccessToken,
  ClaimAttempt,
  DialectId,
  IdentityAssertion,
  OpenClaim,
  Service,
  Warning,
} from '../model.ts';

/** What a service's metadata says, before any URL in it is checked. */
export type ServiceDraft = Omit<Service, 'issuer' | 'resource' | 'identityTypes' | 'dialect'> & {
  /** As the server's own metadata names it. */
  readonly resource: string | undefined;
  readonly identityTypes: readonly string[];
};

/** What the agent registers with. */
export type IdentityProof =
  | { readonly type: 'anonymous' }
  | { readonly type: 'service_auth'; readonly loginHint: string }
  | { readonly type: 'identity_assertion'; readonly assertion: Secret };

/** What a registration gives: an assertion, an open claim, or both. */
export interface RegistrationGrant {
  readonly id: string;
  readonly assertion: IdentityAssertion | null;
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

export interface ClaimGrant extends TokenGrant {
  readonly assertion: IdentityAssertion;
}

/**
 * How a service spells the protocol. Encoders make requests, decoders read answers into the normal
 * model; `now` is the server's time, against which spans become instants. Decoders throw AgentError
 * (`bad_answer`, `unknown_token_type`, …) and check of a URL only that it is one.
 */
export interface Dialect {
  readonly id: DialectId;
  /** `undefined` when the metadata describes no registration in this dialect. */
  readonly decodeService: (metadata: JsonObject) => ServiceDraft | undefined;

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

  readonly encodeClaimStart: (url: string, claimToken: Secret, email: string) => WireRequest;
  readonly decodeClaimStart: (answer: Answer, now: number) => ClaimAttempt;

  readonly encodeClaimPoll: (
    service: Service,
    claimGrantType: string,
    claimToken: Secret,
  ) => WireRequest;
  readonly decodeClaimPoll: (answer: Answer, now: number) => ClaimGrant;

  readonly encodeExchange: (service: Service, assertion: Secret) => WireRequest;
  readonly decodeExchange: (answer: Answer, now: number) => TokenGrant;

  readonly encodeRevoke: (url: string, token: Secret) => WireRequest;

  /** What a peer refused, or `undefined` when the answer reports no error. */
  readonly readProblem: (answer: Answer, surface: AgentSurface, now: number) => Problem | undefined;
}
