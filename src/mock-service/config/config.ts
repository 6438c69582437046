import { claimGrantType, type IdentityType, withoutFinalSlash } from '../../protocol/index.ts';
import type { Lifetimes } from './lifetimes.ts';

/** A provider whose ID-JAGs and events are accepted. */
export interface TrustEntry {
  readonly issuer: string;
  /** Shown to people. Never taken from a token. Default: the issuer's host. */
  readonly name?: string;
  /** Default: `<issuer>/.well-known/jwks.json`. */
  readonly jwksUri?: string;
  /** Accepted `client_id` beside the issuer itself. Default: `<issuer>/agent-auth.json`. */
  readonly clientIds?: readonly string[];
  /** The mail domains that it is trusted for; an email outside them needs its user's consent. Default: all. */
  readonly mailDomains?: readonly string[];
}

/** A trust entry with every default filled in. */
export type TrustedIssuer = TrustEntry & Required<Omit<TrustEntry, 'mailDomains'>>;

export interface SeedUser {
  readonly email: string;
  readonly name?: string;
  /** E.164. */
  readonly phone?: string;
}

/** The options with every default filled in. */
export interface ServiceConfig {
  readonly issuer: string;
  readonly name: string;
  /** Trusted from the start on. The service's `TrustList` holds who is trusted now. */
  readonly trust: readonly TrustedIssuer[];
  readonly users: readonly SeedUser[];
  readonly vendors: readonly string[];
  readonly eventBase: string;
  readonly lifetimes: Lifetimes;
  readonly identityTypes: readonly IdentityType[];
  readonly rateLimit: boolean;
  readonly acceptResourceAudience: boolean;
  readonly scopes: { readonly pre: readonly string[]; readonly post: readonly string[] };
  /** Whether a URL is the base (a final slash tolerated) or at or below a protected path. */
  isResource(url: string): boolean;
}

/** The claim grants that this service advertises and accepts. */
export function claimGrantTypes(config: ServiceConfig): readonly string[] {
  return config.vendors.map(claimGrantType);
}

/** @throws TypeError that says which option is wrong. */
export function resolveTrust(entry: TrustEntry): TrustedIssuer {
  if (!URL.canParse(entry.issuer)) throw new TypeError('A trusted issuer must be a URL.');
  if (entry.jwksUri !== undefined && !URL.canParse(entry.jwksUri)) {
    throw new TypeError('The key set of a trusted issuer must be a URL.');
  }
  const base = withoutFinalSlash(entry.issuer);
  return {
    ...entry,
    ...(entry.mailDomains && {
      mailDomains: entry.mailDomains.map((domain) => domain.toLowerCase()),
    }),
    name: entry.name ?? new URL(base).host,
    jwksUri: entry.jwksUri ?? `${base}/.well-known/jwks.json`,
    clientIds: entry.clientIds ?? [`${base}/agent-auth.json`],
  };
}
