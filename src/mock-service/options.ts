import { type ControlAccess, configuredUser, type Database } from '../mock/index.ts';
import {
  covers,
  IDENTITY_TYPES,
  type IdentityType,
  type Jwk,
  withoutFinalSlash,
} from '../protocol/index.ts';
import type { Clock, Fetch, Log, Random } from '../runtime/index.ts';
import {
  resolveTrust,
  type SeedUser,
  type ServiceConfig,
  type TrustEntry,
} from './config/config.ts';
import { DEFAULT_LIFETIMES, type Lifetimes } from './config/lifetimes.ts';
import { PROTECTED_PATHS } from './config/paths.ts';
import { CATALOG_ROOT } from './directory/index.ts';
import type { ServiceFault } from './faults/index.ts';

export interface MockServiceOptions {
  /** The service's base URL, an origin: every published URL comes from it, never from `Host`. */
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
  /** Limits registrations per IP address and in all (wire.md §3). Default: off. */
  readonly rateLimit?: boolean;
  /** Accepts the resource URL as an ID-JAG's `aud`. Default: off. */
  readonly acceptResourceAudience?: boolean;
  /**
   * What it does wrong from the start on: names of {@link SERVICE_FAULTS}, or faults of one's own.
   * Default: nothing.
   */
  readonly faults?: readonly (string | ServiceFault)[];
  /** Opens the controls at `/__mock` to callers with the token. Default: closed; the library calls stay. */
  readonly control?: ControlAccess;
  readonly algorithm?: 'ES256' | 'EdDSA';
  /** Private signing keys, for repeatable transcripts. Default: made once and kept in the store. */
  readonly keys?: readonly Jwk[];
}

/** What a token can be bound to. The catalog is live: which paths of it exist is decided at each call. */
const RESOURCE_ROOTS = [...PROTECTED_PATHS, CATALOG_ROOT];

const LABEL = /^[a-z0-9][a-z0-9-]{0,30}$/i;

/** @throws TypeError that says which option is wrong. */
export function resolveOptions(options: MockServiceOptions): ServiceConfig {
  const issuer = withoutFinalSlash(options.baseUrl);
  if (!URL.canParse(issuer) || new URL(issuer).origin !== issuer) {
    throw new TypeError('The base URL must be an origin, for example http://127.0.0.1:4800.');
  }
  const vendors = [options.vendor ?? 'vendor'].flat();
  const wrong = vendors.find((label) => !LABEL.test(label));
  if (wrong !== undefined || vendors.length === 0) {
    throw new TypeError(
      'A vendor label consists of letters, digits and dashes, for example "vendor".',
    );
  }
  const eventBase = withoutFinalSlash(options.eventBase ?? 'https://schemas.vendor.example');
  if (!URL.canParse(eventBase)) throw new TypeError('The event base must be a URL.');
  return {
    issuer,
    name: options.name ?? 'Example Service',
    trust: (options.trust ?? []).map(resolveTrust),
    users: (options.users ?? []).map(configuredUser),
    vendors,
    eventBase,
    lifetimes: { ...DEFAULT_LIFETIMES, ...options.lifetimes },
    identityTypes: options.identityTypes ?? IDENTITY_TYPES,
    rateLimit: options.rateLimit ?? false,
    acceptResourceAudience: options.acceptResourceAudience ?? false,
    scopes: { pre: ['api.read'], post: ['api.read', 'api.write'] },
    isResource: (url) =>
      url === issuer ||
      url === `${issuer}/` ||
      (isCanonical(url) && RESOURCE_ROOTS.some((path) => covers(issuer + path, url))),
  };
}

/** Whether a resource is in its canonical spelling: resources are compared as text. */
function isCanonical(url: string): boolean {
  if (!URL.canParse(url) || /[?#]/.test(url)) return false;
  const { href, password, username } = new URL(url);
  return href === url && username === '' && password === '';
}
