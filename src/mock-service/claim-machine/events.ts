import type { CodeAt, Surface } from '../../protocol/codes.ts';
import type { Effect, NewAttempt } from './effects.ts';
import type { AssertionTimes } from './facts.ts';

/** What can happen to a registration, with everything a decision needs: decisions are pure. */
export interface EventInputs {
  /** `POST /agent/identity/claim` */
  readonly start: { readonly email: string | undefined; readonly attempt: NewAttempt };
  /** `POST /agent/identity/claim/complete` by a signed-in user. */
  readonly submit: { readonly account: Account; readonly code: CodeCheck };
  /** The same with `decision=deny`. */
  readonly deny: { readonly account: Account };
  /** A signed-in user approves on the page, which then shows the code for the agent. */
  readonly confirm: { readonly account: Account };
  /** The agent hands in the code that its user read back to it. */
  readonly redeem: {
    readonly code: CodeCheck;
    /**
     * Whose mailbox the code went to: who has it needs no other proof. Undefined where a user confirms on
     * the page.
     */
    readonly mailedTo: Account | undefined;
    /** Identity of the assertion, should this be the first delivery. */
    readonly assertionJti: string;
    /** The hash of the refresh token that comes with it; without one the assertion lasts longer. */
    readonly refreshHash: string | undefined;
    /** Whether an answer that got lost can be had again. */
    readonly redelivers: boolean;
    /** Whether the claim is active, as in a poll. */
    readonly active: boolean;
  };
  /** The agent trades a refresh token of its registration, which is known and has not expired. */
  readonly refresh: {
    readonly hash: string;
    /** Whether it was traded before: then somebody has a copy (RFC 9700 §4.14.2). */
    readonly isSpent: boolean;
    readonly nextHash: string;
    readonly assertionJti: string;
  };
  /** The claim grant. */
  readonly poll: {
    readonly tokenHash: string;
    /** Identity of the assertion, should this be the first delivery. */
    readonly assertionJti: string;
    /** False when what was delivered before rests on something that was revoked (wire contract §7). */
    readonly active: boolean;
    readonly target: Target;
  };
  /** The jwt-bearer grant with an assertion that is authentic and has not expired; or a credential beside it. */
  readonly exchange: {
    readonly tokenHash: string;
    /** A key that no time ends. */
    readonly isEndless?: boolean;
    readonly assertionJti: string;
    readonly version: number;
    /** False when what it rests on was revoked (wire contract §7). */
    readonly active: boolean;
    readonly target: Target;
  };
  /** The provider's revocation event, or **End** on `/connections`. */
  readonly revoke: Record<never, never>;
}
export type EventName = keyof EventInputs;
export const EVENTS = [
  'start',
  'submit',
  'deny',
  'confirm',
  'redeem',
  'refresh',
  'poll',
  'exchange',
  'revoke',
] as const;

export interface Account {
  readonly userId: string;
  readonly email: string;
}

/** `malformed` is not counted; otherwise whether the HMAC is the attempt's. */
export type CodeCheck = 'malformed' | 'right' | 'wrong';

/** What the token is asked for: narrower scopes, a resource. `undefined` asks for everything. */
export interface Target {
  readonly scopes: readonly string[] | undefined;
  readonly resource: string | undefined;
  /** The service's base: what a token is valid for when no resource is named. */
  readonly base: string;
}

export type Outcome =
  | { readonly kind: 'attempt_opened'; readonly expiresAt: number; readonly interval: number }
  | { readonly kind: 'claimed' }
  | { readonly kind: 'denied' }
  /** The page shows the code now, or still. */
  | { readonly kind: 'confirmed' }
  | {
      readonly kind: 'redeemed';
      readonly assertion: AssertionTimes;
      /** When the refresh token ends that comes with it. */
      readonly refreshExpiresAt: number | undefined;
    }
  | {
      readonly kind: 'refreshed';
      readonly assertion: AssertionTimes;
      readonly refreshExpiresAt: number;
    }
  | {
      readonly kind: 'token';
      readonly scopes: readonly string[];
      readonly resource: string;
      readonly expiresAt: number;
      /** Set by the claim grant: the assertion that is delivered with it. */
      readonly assertion?: AssertionTimes;
    }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'no_effect' }
  | Refusal;

/** A refusal names its code; status and text come from the list of wire codes. */
export type Refusal<S extends Surface = Surface> = S extends Surface
  ? {
      readonly kind: 'refused';
      readonly surface: S;
      readonly code: CodeAt<S>;
      /** Machine-readable details, for example `attempts_remaining`. */
      readonly members?: Readonly<Record<string, number | string>>;
    }
  : never;

export interface Decision {
  readonly outcome: Outcome;
  readonly effects: readonly Effect[];
}

export function refuse<S extends Surface>(
  surface: S,
  code: CodeAt<S>,
  members?: Readonly<Record<string, number | string>>,
): Decision {
  return {
    outcome: { kind: 'refused', surface, code, ...(members && { members }) } as Refusal,
    effects: [],
  };
}
