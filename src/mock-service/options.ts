import type { JWK } from 'jose';
import { type ControlAccess, type Database, knownFaults, knownPerson } from '../mock/index.ts';
import { covers, IDENTITY_TYPES, type IdentityType, withoutFinalSlash } from '../protocol/index.ts';
import type { Clock, Fetch, Log, Random } from '../runtime/index.ts';
import { CATALOG_ROOT } from './directory/index.ts';
import { SERVICE_FAULT_NAMES, type ServiceFault } from './faults/index.ts';
import { DEFAULT_LIFETIMES, type Lifetimes } from './lifetimes.ts';

/** A provider whose ID-JAGs and events are accepted. */
export interface TrustEntry {
  readonly issuer: string;
  /** Shown to people. Never taken from a token. Default: the issuer's host. */
  readonly name?: string;
  /** Default: `<issuer>/.well-known/jwks.json`. */
  readonly jwksUri?: string;
  /** Accepted `client_id` beside the issuer itself. Default: `<issuer>/agent-auth.json`. */
  readonly clientIds?: readonly string[];
  /** The mail domains that it speaks for; an address outside them needs its user's consent. Default: all. */
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

export interface MockServiceOptions {
  /** The service's base address, an origin: every published address comes from it, never from `Host`. */
  readonly baseUrl: string;
  readonly name?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Fetches the providers' key sets. */
  readonly fetch: Fetch;
  readonly log: Log;
  /** Default: a fresh one in memory. A database that is given is not closed by the service. */
  readonly db?: Database;
  readonly trust?: readonly TrustEntry[];
  readonly users?: readonly SeedUser[];
  /** The labels of the claim grants that are advertised and accepted. Default: `vendor`. */
  readonly vendor?: string | readonly string[];
  /** Default: `https://schemas.vendor.example`. */
  readonly eventBase?: string;
  readonly lifetimes?: Partial<Lifetimes>;
  /** The registration types that are switched on. Default: all. */
  readonly identityTypes?: readonly IdentityType[];
  /** Limits registrations per address and in all (wire.md §3). Default: off. */
  readonly rateLimit?: boolean;
  /** Accepts the resource address as an ID-JAG's `aud`. Default: off. */
  readonly acceptResourceAudience?: boolean;
  /** What it does wrong from the start on; {@link SERVICE_FAULTS} names them. Default: nothing. */
  readonly faults?: readonly string[];
  /** Opens the controls at `/__mock` to who has the token. Default: closed; the library calls stay. */
  readonly control?: ControlAccess;
  readonly algorithm?: 'ES256' | 'EdDSA';
  /** Private signing keys, for repeatable transcripts. Default: made once and kept in the store. */
  readonly keys?: readonly JWK[];
}

/** The options with every default filled in. */
export interface ServiceConfig {
  readonly issuer: string;
  readonly name: string;
  /** From the start on. Who is trusted now is asked of the service's `TrustList`. */
  readonly trust: readonly TrustedIssuer[];
  readonly users: readonly SeedUser[];
  readonly vendors: readonly string[];
  readonly eventBase: string;
  readonly lifetimes: Lifetimes;
  readonly identityTypes: readonly IdentityType[];
  readonly rateLimit: boolean;
  readonly acceptResourceAudience: boolean;
  readonly faults: readonly ServiceFault[];
  readonly scopes: { readonly pre: readonly string[]; readonly post: readonly string[] };
  /** Whether an address is the base (a final slash tolerated) or at or below a protected path. */
  isResource(address: string): boolean;
}

/** The roots of what needs an access token. */
export const PROTECTED_PATHS = ['/api/resource'] as const;

/** What a token can be bound to. The catalog is live: which paths of it exist is decided at each call. */
const RESOURCE_ROOTS = [...PROTECTED_PATHS, CATALOG_ROOT];

const LABEL = /^[a-z0-9][a-z0-9-]{0,30}$/i;

/** @throws TypeError with a sentence for the person who configured it. */
export function resolveOptions(options: MockServiceOptions): ServiceConfig {
  const issuer = withoutFinalSlash(options.baseUrl);
  if (!URL.canParse(issuer) || new URL(issuer).origin !== issuer) {
    throw new TypeError('The base address must be an origin, for example http://127.0.0.1:4800.');
  }
  const vendors = [options.vendor ?? 'vendor'].flat();
  const wrong = vendors.find((label) => !LABEL.test(label));
  if (wrong !== undefined || vendors.length === 0) {
    throw new TypeError('A vendor label is letters, digits and dashes, for example "vendor".');
  }
  const eventBase = withoutFinalSlash(options.eventBase ?? 'https://schemas.vendor.example');
  if (!URL.canParse(eventBase)) throw new TypeError('The event base must be an address.');
  return {
    issuer,
    name: options.name ?? 'Example Service',
    trust: (options.trust ?? []).map(resolveTrust),
    users: (options.users ?? []).map(knownPerson),
    vendors,
    eventBase,
    lifetimes: { ...DEFAULT_LIFETIMES, ...options.lifetimes },
    identityTypes: options.identityTypes ?? IDENTITY_TYPES,
    rateLimit: options.rateLimit ?? false,
    acceptResourceAudience: options.acceptResourceAudience ?? false,
    faults: knownFaults(SERVICE_FAULT_NAMES, options.faults ?? []),
    scopes: { pre: ['api.read'], post: ['api.read', 'api.write'] },
    isResource: (address) =>
      address === issuer ||
      address === `${issuer}/` ||
      (isCanonical(address) && RESOURCE_ROOTS.some((path) => covers(issuer + path, address))),
  };
}

/** @throws TypeError with a sentence for the person who configured it. */
export function resolveTrust(entry: TrustEntry): TrustedIssuer {
  if (!URL.canParse(entry.issuer)) throw new TypeError('A trusted issuer must be an address.');
  if (entry.jwksUri !== undefined && !URL.canParse(entry.jwksUri)) {
    throw new TypeError('The key set of a trusted issuer must be an address.');
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

/** One spelling of a resource alone: what it is compared with is what it says. */
function isCanonical(address: string): boolean {
  if (!URL.canParse(address) || /[?#]/.test(address)) return false;
  const { href, password, username } = new URL(address);
  return href === address && username === '' && password === '';
}
