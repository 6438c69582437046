import type { Secret } from '../runtime/index.ts';

/** A sign-in at an agent provider: the ID token that mints (RFC 8693). */
export interface ProviderSession {
  /** The provider. */
  readonly issuer: string;
  /** What ID-JAGs are minted with. */
  readonly idToken: Secret;
  /** When the session ends, on the provider's clock; `null`: it did not say. */
  readonly expiresAt: number | null;
  /** The provider's clock minus ours, in milliseconds. */
  readonly clockOffset: number;
  /** Who signed in, by the ID token; unverified, for display. */
  readonly account: string | null;
  /** The client that the user signed in to, by its id at the provider. Left out: `agent-auth`. */
  readonly clientId?: string;
  /** What gets the next ID token. Left out: none was given. */
  readonly refresh?: Secret;
}

/** A sign-in on a page of the provider, whose answer comes back to this machine (RFC 8252 §7.3). */
export interface PageSignIn {
  readonly issuer: string;
  readonly clientId: string;
  /** The authorization request. */
  readonly url: string;
  readonly redirectUri: string;
  readonly state: Secret;
  readonly nonce: Secret;
  /** The code verifier (RFC 7636 §4.1). */
  readonly verifier: Secret;
  /** Seconds; the oldest sign-in that was asked for. `null`: any. */
  readonly maxAge: number | null;
  /** When the page is over, on this machine's clock. */
  readonly expiresAt: number;
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
  /** The client, by its id at the provider. Left out: `agent-auth`. */
  readonly clientId?: string;
}
