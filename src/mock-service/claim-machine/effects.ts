import type { AssertionTimes } from './facts.ts';

/** What a decision changes. The store applies a list of these in the transaction that loaded the facts. */
export type Effect =
  | {
      readonly kind: 'open_attempt';
      readonly attempt: NewAttempt;
      readonly expiresAt: number;
      readonly interval: number;
    }
  | { readonly kind: 'record_email'; readonly email: string }
  | { readonly kind: 'count_wrong_code' }
  | { readonly kind: 'deny_attempt'; readonly at: number }
  | { readonly kind: 'confirm_attempt'; readonly at: number; readonly userId: string }
  | { readonly kind: 'record_poll'; readonly at: number; readonly interval: number }
  | { readonly kind: 'complete_claim'; readonly at: number; readonly userId: string }
  /** Supersedes the assertions of the version before. */
  | { readonly kind: 'raise_version' }
  /** Ends every access token and assertion issued so far. */
  | { readonly kind: 'end_credentials' }
  /** The token that was delivered ends: of repeated deliveries only the latest stays valid (wire contract §6). */
  | { readonly kind: 'end_delivered_token' }
  | {
      readonly kind: 'deliver';
      readonly at: number;
      readonly assertion: AssertionTimes;
      /** Undefined where the agent exchanges the assertion for its first token. */
      readonly token: IssuedToken | undefined;
    }
  | { readonly kind: 'issue_token'; readonly token: IssuedToken }
  /** Gives every token of the registration these scopes. */
  | { readonly kind: 'widen_tokens'; readonly scopes: readonly string[] }
  | { readonly kind: 'issue_assertion'; readonly assertion: AssertionTimes }
  | {
      readonly kind: 'issue_refresh_token';
      readonly hash: string;
      readonly at: number;
      readonly expiresAt: number;
    }
  /** A refresh token is remembered until it expires, so that a copy is noticed. */
  | { readonly kind: 'spend_refresh_token'; readonly hash: string; readonly at: number }
  | { readonly kind: 'end_refresh_tokens' }
  | { readonly kind: 'revoke'; readonly at: number };

export type EffectKind = Effect['kind'];

export type EffectOf<K extends EffectKind> = Extract<Effect, { readonly kind: K }>;

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
