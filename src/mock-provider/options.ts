import { changedMembers, type DocumentMembers } from '../mock/config/document-members.ts';
import { resolveLifetimes } from '../mock/config/lifetimes.ts';
import { shownName, wrongOption } from '../mock/config/wrong-option.ts';
import type { MockOptions } from '../mock/controls/mock-options.ts';
import { readCorsOrigins } from '../mock/http/cross-origin.ts';
import { receiverGuard } from '../mock/http/refused-ip.ts';
import type { SigningAlgorithm } from '../mock/keys/algorithm.ts';
import { configuredEmail, configuredUsers } from '../mock/sessions/configured-user.ts';
import { CLIENT_ID, isClientId } from '../protocol/client-id.ts';
import { hostReach, mayReach } from '../protocol/host-reach.ts';
import { isShortText, MAX_TEXT_BYTES } from '../protocol/text.ts';
import { isHttpOrigin, withoutFinalSlash } from '../protocol/urls.ts';
import type { Clock, ConnectGuard, Fetch, Sleep } from '../runtime/ports.ts';
import { type ProviderClientOptions, resolveProviderClients } from './clients/provider-client.ts';
import { readAudiences } from './config/audiences.ts';
import {
  type Audience,
  PROVIDER_DOCUMENTS,
  type ProviderConfig,
  type ProviderDocument,
  type ProviderSettings,
  SUBJECT_TYPES,
} from './config/config.ts';
import { DEFAULT_PROVIDER_LIFETIMES, type ProviderLifetimes } from './config/lifetimes.ts';
import { MOST_AGE, type PolicyRule } from './config/rules.ts';
import type { ProviderFault } from './faults/index.ts';

export interface MockProviderOptions extends MockOptions, Partial<ProviderSettings> {
  /** The provider's URL, an origin: its issuer, and what every published URL starts with. */
  readonly baseUrl: string;
  /** The time that sign-ins, consents and ID-JAGs expire by; the controls move it further. */
  readonly clock: Clock;
  /** Reads the metadata of services, and notifies them of revoked consents. */
  readonly fetch: Fetch;
  /**
   * Makes the fetch that is used in place of `fetch` where the services are anybody's (`audiences` is or
   * has `any`, and does not list the service) and `baseUrl` is not on this machine. It has to ask `guard` about each IP address before it
   * connects, and to connect to the very address that passed: a second resolution could lead elsewhere (DNS
   * rebinding). `systemGuardedFetch` of `agent-auth/mock-provider` does. Left out: a name counts as
   * public by its spelling, wherever it leads.
   */
  readonly guardedFetch?: (guard: ConnectGuard) => Fetch;
  /**
   * Bounds each attempt to notify a service, and runs a loop that repeats the failed ones until `close()`.
   * It must really wait: with one that returns at once, every attempt would time out. Left
   * out: an attempt lasts as long as `fetch` does, and only `outbox.deliverDue()` repeats one.
   */
  readonly sleep?: Sleep;
  /**
   * The services that ID-JAGs are minted for. Default: `any`, every URL that could be an issuer. With `any`
   * in a list it is every one, too, and those beside it have their names, and are notified wherever they are.
   */
  readonly audiences?: readonly (string | Audience)[] | 'any';
  /**
   * The clients that users sign in to by authorization code, and that exchange ID tokens for ID-JAGs by policy
   * (cross-app access), and they alone. Default: any client, with any loopback redirect.
   */
  readonly clients?: readonly ProviderClientOptions[];
  /** The `tenant` of users that have none of their own. Default: none. */
  readonly tenant?: string;
  /** Signs this user in, and consents for this user, without a page. */
  readonly autoApprove?: string;
  /** How long things live, in milliseconds. */
  readonly lifetimes?: Partial<ProviderLifetimes>;
  /**
   * Sets members of its documents, and takes those away that are null: `provider` (authorization-server metadata, at `openid-configuration` too) and
   * `client` (the client ID metadata document). Wire names and JSON values.
   */
  readonly metadata?: Partial<DocumentMembers<ProviderDocument>>;
  /**
   * What it does wrong from the start on: names of {@link PROVIDER_FAULTS}, or faults of one's own.
   * Default: nothing.
   */
  readonly faults?: readonly (string | ProviderFault)[];
  /** What signs its ID tokens and ID-JAGs; with `RS256` a key of ES256 is published, too. Default: `ES256`. */
  readonly algorithm?: SigningAlgorithm;
}

/** The options that can be checked before anything is there, and what a provider is made of. */
type Settings = Pick<MockProviderOptions, 'baseUrl'> & Partial<MockProviderOptions>;

/** @throws TypeError that names the option and the value. */
export function resolveOptions(options: Settings): ProviderConfig {
  const issuer = withoutFinalSlash(options.baseUrl);
  const example = 'Use an origin, for example http://127.0.0.1:4801.';
  demand(isHttpOrigin(issuer), 'baseUrl', options.baseUrl, example);
  const { clientId = 'agent-auth', subjectType = 'public', tenant } = options;
  demand(isClientId(clientId), 'clientId', clientId, `Use ${CLIENT_ID}.`);
  const isSubjectType = SUBJECT_TYPES.includes(subjectType);
  demand(isSubjectType, 'subjectType', subjectType, `Use ${SUBJECT_TYPES.join(' or ')}.`);
  const isTenant = tenant === undefined || (tenant !== '' && isShortText(tenant));
  demand(isTenant, 'tenant', tenant, `Use a text of 1 to ${MAX_TEXT_BYTES} bytes.`);
  const audiences = readAudiences(issuer, options.audiences ?? 'any');
  const autoApprove =
    options.autoApprove === undefined
      ? undefined
      : configuredEmail(options.autoApprove, 'autoApprove');
  const reach = hostReach(new URL(issuer).hostname);
  const users = configuredUsers(options.users);
  return {
    issuer,
    allowedHosts: options.allowedHosts ?? [],
    name: shownName(options.name ?? 'Example Provider', 'name'),
    clientId,
    agentAuth: options.agentAuth ?? true,
    clients: resolveProviderClients(options.clients),
    policy: resolvePolicy(users)(options.policy ?? []),
    claims: (options.claims ?? []).map((rule) => ofUser(rule, 'claims.user')),
    clientMapping: options.clientMapping ?? [],
    refuseUnmapped: options.refuseUnmapped ?? false,
    clientName: shownName(options.clientName ?? 'agent-auth', 'clientName'),
    users,
    subjectType,
    tenant,
    autoApprove,
    signIn: autoApprove === undefined ? { kind: 'ask' } : { kind: 'approve', email: autoApprove },
    cors: readCorsOrigins(options.cors),
    lifetimes: resolveLifetimes(DEFAULT_PROVIDER_LIFETIMES, options.lifetimes),
    audience: audiences.find,
    mayNotify: (audience: string) =>
      !audiences.areOpen ||
      audiences.isListed(audience) ||
      mayReach(new URL(issuer).hostname, new URL(audience).hostname),
    receiverGuard: audiences.areOpen && reach !== 'machine' ? receiverGuard(reach) : undefined,
    isListed: audiences.isListed,
    metadata: changedMembers(PROVIDER_DOCUMENTS, options.metadata),
  };
}

/** @throws TypeError for a user who is no email address, a group that no user is in, and an age that is none. */
export function resolvePolicy(users: ProviderConfig['users']) {
  const groups = [...new Set(users.flatMap((user) => user.groups ?? []))];
  const known = `Groups of configured users: ${groups.join(', ') || 'none'}.`;
  return (rules: readonly PolicyRule[]): readonly PolicyRule[] => {
    const unknown = rules.find(({ group }) => group !== undefined && !groups.includes(group));
    if (unknown !== undefined) throw wrongOption('policy.group', unknown.group, known);
    const ages = rules.map(({ maxAge }) => maxAge ?? 0);
    const wrong = ages.find((age) => !Number.isInteger(age) || age < 0 || age > MOST_AGE);
    if (wrong === undefined) return rules.map((rule) => ofUser(rule, 'policy.user'));
    throw wrongOption('policy.maxAge', wrong, `Use seconds from 0 to ${MOST_AGE}.`);
  };
}

/** A rule for a user, by the email as it is compared. */
function ofUser<R extends { readonly user?: string }>(rule: R, option: string): R {
  return rule.user === undefined ? rule : { ...rule, user: configuredEmail(rule.user, option) };
}

function demand(isGood: boolean, option: string, value: unknown, hint: string): void {
  if (!isGood) throw wrongOption(option, value, hint);
}
