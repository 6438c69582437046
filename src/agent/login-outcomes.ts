/** What a sign-in at a provider ends in. */
import type { UnansweredPolls } from './claim-outcomes.ts';
import type { ProviderSession, SignInCeremony, TypeThereCeremony } from './model.ts';

/** What `wait` of a sign-in at a provider resolves with. */
export type ProviderLoginOutcome =
  | { readonly status: 'signed_in'; readonly session: ProviderSession }
  | { readonly status: 'denied' }
  | { readonly status: 'expired' }
  /** The caller's time limit passed first; the sign-in stays stored. */
  | {
      readonly status: 'pending';
      readonly ceremony: SignInCeremony;
      /** The provider did not answer the last polls. Left out: as with a claim that is `pending`. */
      readonly unanswered?: UnansweredPolls;
    }
  /** The caller's signal came first; the sign-in stays stored. */
  | { readonly status: 'aborted' };

/** A sign-in that has begun: by device code (RFC 8628), or on a page whose answer comes to this machine (RFC 8252). */
export interface ProviderLogin<C extends SignInCeremony = TypeThereCeremony> {
  readonly provider: string;
  readonly ceremony: C;
  /** Waits to the end and stores the session. The first poll comes one interval after the call. */
  wait(options?: {
    /** Milliseconds; then the outcome is `pending`. */
    readonly timeout?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly onEvent?: ((event: WaitEvent) => void) | undefined;
  }): Promise<ProviderLoginOutcome>;
}

/** `resumeProviderLogin`: the sign-in that waits, or who is signed in where none does. */
export type ResumeProviderLoginOutcome =
  | { readonly status: 'open'; readonly login: ProviderLogin<SignInCeremony> }
  | { readonly status: 'not_started'; readonly session: ProviderSession | undefined };

/** What happens while waiting, for a screen. Spans in milliseconds. */
export type WaitEvent =
  | { readonly type: 'waiting'; readonly nextPollIn: number; readonly remaining: number }
  | { readonly type: 'slow_down'; readonly interval: number }
  /** No answer, or a 5xx or 429: the wait grows. */
  | { readonly type: 'trouble'; readonly status: number | null; readonly nextPollIn: number };
