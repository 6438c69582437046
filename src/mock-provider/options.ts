import {
  type ControlAccess,
  configuredEmail,
  configuredUser,
  type Database,
  type SigningAlgorithm,
} from '../mock/index.ts';
import { type Jwk, urlProblem, withoutFinalSlash } from '../protocol/index.ts';
import type { Clock, Fetch, Log, Random, Sleep } from '../runtime/index.ts';
import type { Audience, KnownAudience, ProviderConfig, ProviderUser } from './config/config.ts';
import { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './config/lifetimes.ts';
import type { ProviderFault } from './faults/index.ts';
import { mayReach } from './outbox/host-reach.ts';

export interface MockProviderOptions {
  /** The provider's URL, an origin: its issuer, and what every published URL starts with. */
  readonly baseUrl: string;
  readonly name?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Reads the metadata of services, and notifies them of revoked consents. */
  readonly fetch: Fetch;
  /**
   * Bounds each attempt to notify a service, and runs a loop that repeats the failed ones until `close()`.
   * It must really wait: with one that returns at once, every attempt would time out. Left
   * out: an attempt lasts as long as `fetch` does, and only `outbox.deliverDue()` repeats one.
   */
  readonly sleep?: Sleep;
  readonly log: Log;
  /** Default: a fresh one in memory. A database that is given is not closed by the provider. */
  readonly db?: Database;
  /** Default: `any`, every URL that could be an issuer. */
  readonly audiences?: readonly (string | Audience)[] | 'any';
  /** The one client, a public one. Default: `agent-auth`. */
  readonly clientId?: string;
  /** The name of the agent on pages. Default: `agent-auth`. */
  readonly clientName?: string;
  readonly users?: readonly ProviderUser[];
  /** Signs this user in, and consents for this user, without a page. */
  readonly autoApprove?: string;
  readonly lifetimes?: Partial<ProviderLifetimes>;
  /**
   * What it does wrong from the start on: names of {@link PROVIDER_FAULTS}, or faults of one's own.
   * Default: nothing.
   */
  readonly faults?: readonly (string | ProviderFault)[];
  /** Opens the controls at `/__mock` to callers with the token. Default: closed; the library calls stay. */
  readonly control?: ControlAccess;
  readonly algorithm?: SigningAlgorithm;
  /** Private signing keys, for repeatable transcripts. Default: made once and kept in the store. */
  readonly keys?: readonly Jwk[];
}

const MAX_ISSUER_LENGTH = 512;

/** @throws TypeError that says which option is wrong. */
export function resolveOptions(options: MockProviderOptions): ProviderConfig {
  const issuer = withoutFinalSlash(options.baseUrl);
  if (!URL.canParse(issuer) || new URL(issuer).origin !== issuer) {
    throw new TypeError('The base URL must be an origin, for example http://127.0.0.1:4801.');
  }
  const audiences = options.audiences ?? 'any';
  return {
    issuer,
    name: options.name ?? 'Example Provider',
    clientId: options.clientId ?? 'agent-auth',
    clientName: options.clientName ?? 'agent-auth',
    users: (options.users ?? []).map(configuredUser),
    autoApprove:
      options.autoApprove === undefined ? undefined : configuredEmail(options.autoApprove),
    lifetimes: { ...DEFAULT_PROVIDER_LIFETIMES, ...options.lifetimes },
    audience: audienceLookup(issuer, audiences),
    mayNotify: (audience) =>
      audiences !== 'any' || mayReach(new URL(issuer).hostname, new URL(audience).hostname),
  };
}

function audienceLookup(
  own: string,
  audiences: readonly (string | Audience)[] | 'any',
): ProviderConfig['audience'] {
  if (audiences === 'any') {
    // Its own issuer is no audience: an ID-JAG is never exchanged where it was minted (IDJ-14).
    return (issuer) =>
      withoutFinalSlash(issuer) !== own && isIssuer(issuer)
        ? { issuer, name: new URL(issuer).host }
        : undefined;
  }
  const known = new Map(
    audiences.map((given): [string, KnownAudience] => {
      const audience = typeof given === 'string' ? { issuer: given } : given;
      if (!isIssuer(audience.issuer)) {
        throw new TypeError(
          `The audience ${audience.issuer} is not an issuer: use https, without a query.`,
        );
      }
      return [
        audience.issuer,
        { ...audience, name: audience.name ?? new URL(audience.issuer).host },
      ];
    }),
  );
  return (issuer) => known.get(issuer);
}

/** RFC 8414 §2: no query, no fragment. Plain http is for loopback alone. */
function isIssuer(url: string): boolean {
  return (
    url.length <= MAX_ISSUER_LENGTH &&
    urlProblem(url) === undefined &&
    !url.includes('?') &&
    // One spelling alone: a user is not shown a URL that another parser could read differently.
    [url, `${url}/`].includes(new URL(url).href)
  );
}
