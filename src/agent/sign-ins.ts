import type { Secret } from '../runtime/index.ts';

/** A sign-in at an agent provider: the ID token that mints (RFC 8693). */
export interface ProviderSession {
  /** The provider. */
  readonly issuer: string;
  /** What ID-JAGs are minted with. */
  readonly idToken: Secret;
  /** On the provider's clock; `null`: it did not say. */
  readonly expiresAt: number | null;
  /** The provider's clock minus ours, in milliseconds. */
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
