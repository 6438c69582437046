import type { Secret } from '../../runtime/index.ts';
import type {
  AccessToken,
  ClaimAttempt,
  DialectId,
  IdentityAssertion,
  OpenClaim,
  RefreshToken,
  Warning,
} from '../model.ts';

/** What the agent registers with. */
export type IdentityProof =
  | { readonly type: 'anonymous' }
  | { readonly type: 'service_auth'; readonly loginHint: string }
  | { readonly type: 'identity_assertion'; readonly assertion: Secret };

/** What a registration gives: an assertion, a token at once, an open claim, or several of them. */
export interface RegistrationGrant {
  readonly id: string;
  readonly assertion: IdentityAssertion | null;
  /** What calls are made with already: a direct credential, or a first token. */
  readonly token: AccessToken | null;
  /** Left out: none. */
  readonly refresh?: RefreshToken;
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
  readonly refresh?: RefreshToken;
  readonly warnings: readonly Warning[];
  /** The dialect that it was written in, where that shows what the service speaks. */
  readonly dialect?: DialectId;
}

/** The answer to the start of a claim: an attempt, or the claim is complete at once. */
export type ClaimStart =
  | {
      readonly kind: 'attempt';
      readonly attempt: ClaimAttempt;
      /** The claim token that replaces the one that was sent. */
      readonly claimToken?: Secret;
    }
  | { readonly kind: 'claimed'; readonly grant: ClaimGrant };
