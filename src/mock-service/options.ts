import { type ClientOptions, resolveClients } from '../mock/clients/client.ts';
import { changedMembers, type DocumentMembers } from '../mock/config/document-members.ts';
import { resolveLifetimes } from '../mock/config/lifetimes.ts';
import { shownName, wrongOption } from '../mock/config/wrong-option.ts';
import type { MockOptions } from '../mock/controls/mock-options.ts';
import { readCorsOrigins } from '../mock/http/cross-origin.ts';
import { hostCheck } from '../mock/http/host-check.ts';
import type { SigningAlgorithm } from '../mock/keys/algorithm.ts';
import { configuredEmail, configuredUsers } from '../mock/sessions/configured-user.ts';
import { type DialectId, IDENTITY_TYPES, type IdentityType } from '../protocol/constants.ts';
import { covers, isHttpOrigin, isSameOrigin, withoutFinalSlash } from '../protocol/urls.ts';
import type { Clock, ConnectGuard, Fetch } from '../runtime/ports.ts';
import type { AnswerRule } from './config/answer-rule.ts';
import {
  CODE_FORMATS,
  type CodeFormat,
  DEFAULT_CODE_FORMAT,
  readCodeFormat,
} from './config/code-format.ts';
import {
  resolveTrust,
  SERVICE_DOCUMENTS,
  type SeedUser,
  type ServiceConfig,
  type ServiceDocument,
  type ServiceResource,
  type TrustEntry,
} from './config/config.ts';
import type { DirectoryOption } from './config/directory.ts';
import { DEFAULT_LIFETIMES, type Lifetimes } from './config/lifetimes.ts';
import { type LinkExisting, readLinkExisting } from './config/link-existing.ts';
import { isOwnPath } from './config/own-paths.ts';
import { CATALOG_ROOT, mcpResource } from './config/paths.ts';
import { defaultResources, type ResourceOptions, resolveResources } from './config/resource.ts';
import { resolveScopes, type ScopeOptions } from './config/scopes.ts';
import { isVendorLabel, VENDOR_LABEL } from './config/vendor-label.ts';
import { dialectProblem, type QuirkName, servedDialect } from './dialects/index.ts';
import { resolveDirectory } from './directory/entries.ts';
import type { ServiceFault } from './faults/index.ts';

export interface MockServiceOptions extends MockOptions {
  /** The service's base URL, an origin: every published URL comes from it, never from `Host`. */
  readonly baseUrl: string;
  /** The name on its pages and in its metadata. Default: `Example Service`. */
  readonly name?: string;
  /** The time that tokens, codes and claims expire by; the controls move it further. */
  readonly clock: Clock;
  /**
   * Fetches the providers' key sets, and their metadata for where these are. Each is to end within
   * 5 seconds (`limitFetch` of `agent-auth/runtime`): whoever registers waits for it.
   */
  readonly fetch: Fetch;
  /**
   * Makes the fetch that the metadata documents of clients are read by, which anybody can name. It has to ask `guard`
   * about each IP address before it connects, and to connect to the very address that passed: a second resolution
   * could lead elsewhere (DNS rebinding). `systemGuardedFetch` of `agent-auth/mock-provider` does. Left out: `fetch`,
   * so that a name counts as public by its spelling, wherever it leads.
   */
  readonly guardedFetch?: (guard: ConnectGuard) => Fetch;
  /** The providers whose ID-JAGs and events it accepts. Default: none. */
  readonly trust?: readonly TrustEntry[];
  /** The users that it knows from the start on; whoever else signs in becomes one. Default: none. */
  readonly users?: readonly SeedUser[];
  /** The labels of the claim grants that are advertised and accepted. Default: `vendor`. */
  readonly vendor?: string | readonly string[];
  /** Default: `https://schemas.vendor.example`. */
  readonly eventBase?: string;
  /** How long things live, in milliseconds. */
  readonly lifetimes?: Partial<Lifetimes>;
  /**
   * What user codes are: `digits:6` to `digits:12`, or `letters:5` to `letters:12` of the alphabet of RFC 8628
   * §6.1. Default: `digits:6`.
   */
  readonly codeFormat?: string;
  /**
   * The origins whose pages may call it from a browser, or `*` for any: discovery, registration, claims,
   * tokens and resources, without cookies; no page and no control. Default: none.
   */
  readonly cors?: readonly string[];
  /**
   * Sets members of its documents, and takes those away that are null: `resource` (protected-resource metadata, path-inserted too), `server`
   * (authorization-server metadata) and `agent_auth` (its block). Wire names and JSON values.
   */
  readonly metadata?: Partial<DocumentMembers<ServiceDocument>>;
  /** The registration types that are switched on. Default: all. */
  readonly identityTypes?: readonly IdentityType[];
  /** Default: `api.read` before a claim, `api.read` and `api.write` after it; else see each. */
  readonly scopes?: ScopeOptions;
  /**
   * What answers with an access token. Default: `GET /api/resource` for `api.read`, `POST` for `api.write`.
   * What the mock answers itself, and the directory, cannot be among them.
   */
  readonly resources?: readonly ResourceOptions[];
  /** Limits registrations per IP address and in all (wire contract §3). Default: off. */
  readonly rateLimit?: boolean;
  /** Accepts the resource URL as an ID-JAG's `aud`. Default: off. */
  readonly acceptResourceAudience?: boolean;
  /**
   * An ID-JAG that matches an existing account: `ask` has the account's user confirm the link (wire contract §3,
   * attack A-20), `silent` links it at once, as the specification's row has it. An email outside the
   * `mailDomains` of its provider is confirmed either way. Default: `ask`, in the dialect `first` `silent`.
   */
  readonly linkExisting?: LinkExisting;
  /**
   * The clients that may redeem ID-JAGs at the token endpoint (cross-app access), and they alone. One whose id is a
   * URL and that has neither a secret nor keys is what its metadata document says. Default: any client that shows a
   * secret or an assertion, or has such a document.
   */
  readonly clients?: readonly ClientOptions[];
  /** Whether, without `clients`, it takes clients that show nothing but their id, too. Default: off. */
  readonly allowPublic?: boolean;
  /** Takes an ID-JAG at the token endpoint again until it expires. Default: off. */
  readonly idJagReuse?: boolean;
  /** Makes an account for a subject that a redeemed ID-JAG names first. Default: on. */
  readonly jitAccounts?: boolean;
  /**
   * What is otherwise in the answers to an ID-JAG that is redeemed, and to introspection: of all, or for a user, a
   * client or a resource. Default: nothing.
   */
  readonly claims?: readonly AnswerRule[];
  /** The family of this protocol that it speaks. Default: `flat`, the wire contract's own. */
  readonly dialect?: DialectId;
  /** The ways in which it differs from its dialect, as published services do. Default: none. */
  readonly quirks?: readonly QuirkName[];
  /**
   * The services of the directory in place of the published ones. The mock answers the methods of those
   * below `/v2`; another path of its own answers what `resources` has there.
   */
  readonly directory?: DirectoryOption;
  /**
   * What it does wrong from the start on: names of {@link SERVICE_FAULTS}, or faults of one's own.
   * Default: nothing.
   */
  readonly faults?: readonly (string | ServiceFault)[];
  /** What signs its assertions. Default: `ES256`. */
  readonly algorithm?: SigningAlgorithm;
}

/** The options that can be checked before anything is there, and what a service is made of. */
type Settings = Pick<MockServiceOptions, 'baseUrl'> & Partial<MockServiceOptions>;

/** @throws TypeError that names the option and the value. */
export function resolveOptions(options: Settings): ServiceConfig {
  const issuer = withoutFinalSlash(options.baseUrl);
  if (!isHttpOrigin(issuer)) {
    throw wrongOption(
      'baseUrl',
      options.baseUrl,
      'Use an origin, for example http://127.0.0.1:4800.',
    );
  }
  const vendors = [options.vendor ?? 'vendor'].flat();
  const wrong = vendors.find((label) => !isVendorLabel(label));
  if (wrong !== undefined || vendors.length === 0) {
    throw wrongOption('vendor', wrong ?? options.vendor, VENDOR_LABEL);
  }
  const bad = dialectProblem(options);
  if (bad !== undefined) throw wrongOption(bad.option, bad.value, bad.description);
  const dialect = servedDialect(options);
  const eventBase = withoutFinalSlash(options.eventBase ?? 'https://schemas.vendor.example');
  if (!URL.canParse(eventBase)) throw wrongOption('eventBase', eventBase, 'Use a full URL.');
  const given = options.resources && resolveResources(options.resources);
  const scopes = resolveScopes(options.scopes ?? {}, given);
  const resources = given ?? defaultResources(scopes);
  const identityTypes = identityTypesOf(options);
  const redeemsIdJags =
    dialect.redeemsIdJags === true && identityTypes.includes('identity_assertion');
  const servesMcp = redeemsIdJags && !isAmong(resources, issuer, mcpResource(issuer));
  const config = {
    issuer,
    isOurHost: hostCheck({ issuer, allowedHosts: options.allowedHosts ?? [] }),
    name: shownName(options.name ?? 'Example Service', 'name'),
    trust: (options.trust ?? []).map(resolveTrust),
    users: configuredUsers(options.users),
    vendors,
    eventBase,
    lifetimes: resolveLifetimes({ ...DEFAULT_LIFETIMES, ...dialect.lifetimes }, options.lifetimes),
    codeFormat: codeFormatOf(options),
    cors: readCorsOrigins(options.cors),
    identityTypes,
    rateLimit: options.rateLimit ?? false,
    acceptResourceAudience: options.acceptResourceAudience ?? false,
    linkExisting: readLinkExisting(options.linkExisting ?? dialect.linkExisting),
    clients: resolveClients(options.clients, { documents: true }),
    allowPublic: options.allowPublic ?? false,
    idJagReuse: options.idJagReuse ?? false,
    jitAccounts: options.jitAccounts ?? true,
    claims: (options.claims ?? []).map(({ user, ...rule }) =>
      user === undefined ? rule : { ...rule, user: configuredEmail(user, 'claims.user') },
    ),
    directory: resolveDirectory(options.directory, issuer),
    scopes,
    resources,
    redeemsIdJags,
    servesMcp,
    isResource: (url: string) =>
      (servesMcp && url === mcpResource(issuer)) ||
      url === issuer ||
      url === `${issuer}/` ||
      (isCanonical(url) && (covers(issuer + CATALOG_ROOT, url) || isAmong(resources, issuer, url))),
  };
  return {
    ...config,
    metadata: changedMembers(SERVICE_DOCUMENTS, options.metadata),
  };
}

function identityTypesOf({ identityTypes = IDENTITY_TYPES }: Settings) {
  const wrong = identityTypes.find((type) => !IDENTITY_TYPES.includes(type));
  if (wrong === undefined && identityTypes.length > 0) return identityTypes;
  throw wrongOption('identityTypes', wrong ?? identityTypes, `Use ${IDENTITY_TYPES.join(', ')}.`);
}

function codeFormatOf({ codeFormat: text }: Settings): CodeFormat {
  const format = text === undefined ? DEFAULT_CODE_FORMAT : readCodeFormat(text);
  if (format !== undefined) return format;
  throw wrongOption('codeFormat', text, `Use ${CODE_FORMATS}.`);
}

/** Whether a URL is one of the resources that take a token. */
function isAmong(resources: readonly ServiceResource[], issuer: string, url: string): boolean {
  if (!isSameOrigin(issuer, url)) return false;
  const { pathname } = new URL(url);
  const isMeant = ({ open, template }: ServiceResource) => !open && template.matches(pathname);
  return resources.some(isMeant) && !isOwnPath(pathname);
}

/** Whether a resource is in its canonical spelling: resources are compared as text. */
function isCanonical(url: string): boolean {
  if (!URL.canParse(url) || /[?#]/.test(url)) return false;
  const { href, password, username } = new URL(url);
  return href === url && username === '' && password === '';
}
