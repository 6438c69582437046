import type { ProviderLifetimes } from './lifetimes.ts';

/** A service that ID-JAGs are minted for. */
export interface Audience {
  /** Compared character for character. */
  readonly issuer: string;
  /** Shown to people. Default: the issuer's host. */
  readonly name?: string;
  /** What it can be asked for. Default: unknown, so no scope is named. */
  readonly scopes?: readonly string[];
}

/** A user with more than an email address. Everybody else gets an account at the first sign-in. */
export interface ProviderUser {
  readonly email: string;
  /** Default: true. */
  readonly emailVerified?: boolean;
  readonly name?: string;
  /** E.164, taken as verified. */
  readonly phone?: string;
  readonly tenant?: string;
}

/** The options of the provider with every default filled in. */
export interface ProviderConfig {
  /** The provider's URL: `iss` of what it signs, and what every published URL starts with. */
  readonly issuer: string;
  /** Shown on pages. */
  readonly name: string;
  /** The one client, a public one. */
  readonly clientId: string;
  /** The name of the agent on pages. */
  readonly clientName: string;
  /** Stored at the start. */
  readonly users: readonly ProviderUser[];
  /** The email of the user who is signed in and consents without a page. */
  readonly autoApprove: string | undefined;
  readonly lifetimes: ProviderLifetimes;
  /** `undefined` when ID-JAGs are not minted for that issuer. */
  audience(issuer: string): KnownAudience | undefined;
  /**
   * Whether an event may be sent to an audience. A provider at a public URL must not be made to
   * send requests to its own machine or network, unless these were configured. It goes by the
   * URL as it is written: names are not resolved, so a name that resolves to an internal host is not detected.
   */
  mayNotify(audience: string): boolean;
}

export type KnownAudience = Audience & { readonly name: string };
