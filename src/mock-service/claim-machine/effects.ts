import type { AssertionTimes } from './facts.ts';

/** What a decision changes. The store applies a list of these in the transaction that loaded the facts. */
export type Effect =
  | {
      readonly kind: 'open_attempt';
      readonly attempt: NewAttempt;
      readonly expiresAt: number;
      readonly interval: number;
      /** By a fault: forgets the wrong codes of the attempts before. */
      readonly forgives?: boolean;
    }
  | { readonly kind: 'record_email'; readonly email: string }
  | {
      readonly kind: 'count_wrong_code';
      /** By a fault: what was read before, and is one more now. */
      readonly seen?: { readonly attempt: number; readonly registration: number };
    }
  | { readonly kind: 'deny_attempt'; readonly at: number }
  | { readonly kind: 'record_poll'; readonly at: number; readonly interval: number }
  /** Supersedes the assertions of the version before, and ends the access tokens issued so far. */
  | {
      readonly kind: 'complete_claim';
      readonly at: number;
      readonly userId: string;
      readonly endsTokens: boolean;
      /** By a fault: supersedes nothing. */
      readonly keepsVersion?: boolean;
      /** By a fault: completes every claim of that address. */
      readonly spreads?: boolean;
    }
  | {
      readonly kind: 'deliver';
      readonly at: number;
      readonly assertion: AssertionTimes;
      readonly token: IssuedToken;
      /** By a fault: the token that was delivered before lives on. */
      readonly keepsEarlier?: boolean;
    }
  | { readonly kind: 'issue_token'; readonly token: IssuedToken }
  /** Ends every access token and assertion of the registration. */
  | { readonly kind: 'revoke'; readonly at: number };

/** A fresh attempt, its secrets already reduced to what is stored. */
export interface NewAttempt {
  readonly id: string;
  readonly tokenHash: string;
  readonly userCodeHmac: string;
}

/** An access token to be stored: its hash, never itself. */
export interface IssuedToken {
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly expiresAt: number;
  /** The assertion it was exchanged for, or was delivered with. */
  readonly assertionJti: string;
}
