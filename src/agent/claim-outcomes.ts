/** What the methods about a claim end in. */
import type { AccessToken, Ceremony, ReadBackCeremony, Registration, Warning } from './model.ts';

/**
 * A claim that did not complete:
 * `attempt_expired`: the code has expired; `startClaim` opens another, once the user agrees (RFC 8628 §3.5);
 * `denied`: the user denied it; `startClaim` opens another attempt only with `renew`;
 * `window_over`: the outer claim window has expired: register again;
 * `revoked`: revoked, or collected elsewhere and not delivered again: register again.
 */
export type EndedClaim<
  S extends string = 'attempt_expired' | 'denied' | 'window_over' | 'revoked',
> = S extends string ? { readonly status: S; readonly registration: Registration } : never;

/** Polls at the end of a wait that did not tell whether the user has acted. */
export interface UnansweredPolls {
  /** How many in a row, the last one of the wait among them. */
  readonly polls: number;
  /** What the last one was answered with: 5xx or 429. `null`: no answer came. */
  readonly status: number | null;
}

/** What a claim has come to. Each carries the registration as stored now. */
export type ClaimOutcome =
  | {
      readonly status: 'claimed';
      readonly registration: Registration;
      readonly token: AccessToken;
      /** The warnings of the answer that brought the token. */
      readonly warnings: readonly Warning[];
    }
  | EndedClaim
  /** The caller's time limit passed first; the claim stays stored. */
  | {
      readonly status: 'pending';
      readonly registration: Registration;
      readonly ceremony: Ceremony;
      /**
       * The service did not answer the last polls: the claim may be complete, denied or ended meanwhile. Left
       * out: it answered the last one, or none was due before the time limit passed.
       */
      readonly unanswered?: UnansweredPolls;
    }
  /** The caller's signal came first; the claim stays stored. */
  | { readonly status: 'aborted'; readonly registration: Registration };

/** An attempt is open: show the ceremony, then `waitForClaim` or, of a code read back, `submitCode`. */
export interface ClaimOpen {
  readonly status: 'open';
  readonly registration: Registration;
  readonly ceremony: Ceremony;
  /** Whether it is an attempt of an earlier call. */
  readonly resumed: boolean;
  /** What the user is told before they are sent to the page. */
  readonly warnings: readonly Warning[];
}

/** `startClaim`: open, or a poll showed that the claim has ended. */
export type StartClaimOutcome =
  | ClaimOpen
  | Extract<ClaimOutcome, { readonly status: 'claimed' }>
  | EndedClaim<'denied' | 'window_over' | 'revoked'>;

/** `submitCode`: what the code that a user read back has come to. */
export type SubmitCodeOutcome =
  | Extract<ClaimOutcome, { readonly status: 'claimed' }>
  /** The user has to sign in on the page and confirm first; the same code may be handed in again then. */
  | {
      readonly status: 'not_confirmed';
      readonly registration: Registration;
      readonly ceremony: ReadBackCeremony;
    }
  | {
      readonly status: 'wrong_code';
      readonly registration: Registration;
      readonly ceremony: ReadBackCeremony;
      /** How many more codes are taken; `undefined`: the service did not say. */
      readonly attemptsRemaining: number | undefined;
    }
  | EndedClaim;

/** A code that was not taken; another, or the same one later, may be. */
export type CodeRefused = Extract<
  SubmitCodeOutcome,
  { readonly status: 'not_confirmed' | 'wrong_code' }
>;

/** `resumeClaim`: what is stored, without a request other than for the server's time. */
export type ResumeClaimOutcome =
  | ClaimOpen
  /** No attempt was ever opened. */
  | { readonly status: 'not_started'; readonly registration: Registration }
  | EndedClaim
  | { readonly status: 'already_claimed'; readonly registration: Registration };
