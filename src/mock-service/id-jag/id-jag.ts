import type { TrustedIssuer } from '../config/config.ts';

/** The content of an ID-JAG with a valid signature. Normalized; times in ms. */
export interface IdJag {
  readonly trusted: TrustedIssuer;
  readonly issuer: string;
  /** Empty for a provider without tenants. */
  readonly tenant: string;
  readonly subject: string;
  readonly jti: string;
  readonly audiences: readonly string[];
  readonly clientId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly notBefore: number;
  /** Its `auth_time`. */
  readonly signedInAt: number | undefined;
  /** As its provider verified it. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** What tokens are to be bound to. */
  readonly resources: readonly string[];
  /** Those of ours that it allows. */
  readonly scopes: readonly string[];
}
