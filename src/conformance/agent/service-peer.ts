import type { MockProvider, MockProviderOptions } from '../../mock-provider/index.ts';
import type { MockService, MockServiceOptions } from '../../mock-service/index.ts';
import {
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { silentLog } from '../../runtime/index.ts';
import { CannotTest } from '../engine/judge.ts';
import { AGENT_CLIENT_ID } from './agent-task.ts';
import type { Handler, HostOptions } from './harness.ts';
import { type Classify, Peer, type PeerContext, type Rule } from './peer.ts';
import type { RequestKind } from './received-request.ts';

const SECOND = 1000;
export const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';
export const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';
const OPENID_CONFIGURATION = '/.well-known/openid-configuration';

/**
 * Where the documents of a service are. `challenge`: all at invented paths, so that only the whole discovery
 * finds them. `origin`: the issuer has no path. `well-known`: the resource metadata has its well-known path, too.
 */
export const PLACES = ['challenge', 'origin', 'well-known'] as const;
export type Place = (typeof PLACES)[number];

interface DiscoveryPlaces {
  readonly metadata: string;
  readonly issuer: string;
  readonly name: string;
  /** Whether the metadata is also at the base, where agents look that read no challenge. */
  readonly isWellKnown: boolean;
}

/** A service that the suite runs, and its user. */
export class ServicePeer extends Peer {
  readonly origin: string;
  readonly mock: MockService;
  /** Where `publishDiscovery` puts its documents; invented, so that no agent can derive or guess them. */
  places: DiscoveryPlaces;

  constructor(
    name: string,
    context: PeerContext,
    mock: MockService,
    base: Handler,
    classify: Classify,
  ) {
    super(name, context, base, classify);
    this.origin = mock.issuer;
    this.mock = mock;
    const { invented } = context;
    this.places = {
      metadata: `/${invented.word()}/${invented.word()}.json`,
      issuer: `/${invented.word()}`,
      name: invented.name(),
      isWellKnown: false,
    };
  }

  /** Moves the documents of `publishDiscovery`. */
  move(place: Place): void {
    if (place === 'challenge') return;
    const isWellKnown = place === 'well-known';
    const { pathname } = new URL(this.resource);
    const metadata = isWellKnown ? PROTECTED_RESOURCE + pathname : this.places.metadata;
    this.places = { ...this.places, issuer: '', metadata, isWellKnown };
  }

  get resource(): string {
    return `${this.origin}/api/resource`;
  }

  /** Adds a rule for the calls that carry a token. */
  onCall(rule: Rule): void {
    this.on('resource', (ask, next) =>
      ask.received.bearer === undefined ? next() : rule(ask, next),
    );
  }

  /** Completes the claim of the newest registration, as its user would. */
  async complete(): Promise<void> {
    await this.mock.controls.complete(await this.#newest());
  }

  async deny(): Promise<void> {
    await this.mock.controls.deny(await this.#newest());
  }

  /** Completes the claim at the nth poll, before that is answered. */
  completeAtPoll(nth: number): void {
    this.on('poll', async (ask, next) => {
      if (ask.nth === nth) await this.complete();
      return next();
    });
  }

  async #newest(): Promise<string> {
    const [newest] = await this.mock.controls.registrations(1);
    if (newest === undefined) throw new CannotTest('The agent has not registered.');
    return newest.facts.id;
  }
}

export interface ServicePeerOptions extends HostOptions {
  readonly name?: string;
  /** What else the service is made of, once its origin is known. */
  readonly mock?:
    | Partial<MockServiceOptions>
    | ((origin: string) => Promise<Partial<MockServiceOptions>>);
  /** Between polls, in seconds. */
  readonly interval?: number;
  /** Lifetime of a user code in milliseconds. */
  readonly userCode?: number;
  readonly trust?: readonly string[];
}

/** Starts a service with short intervals, to keep runs short. */
export async function startService(
  context: PeerContext,
  { name = 'service', mock, interval = 1, userCode, trust = [], ...host }: ServicePeerOptions,
  closing: (close: () => Promise<void>) => void,
): Promise<ServicePeer> {
  // Whoever lists the scenarios runs none, and needs no database.
  const { createMockService } = await import('../../mock-service/index.ts');
  const build = async (origin: string) => {
    const service = await createMockService({
      ...surroundings(context, origin),
      trust: trust.map((issuer) => ({ issuer, name: 'Conformance provider' })),
      lifetimes: { interval: interval * SECOND, ...(userCode !== undefined && { userCode }) },
      ...(typeof mock === 'function' ? await mock(origin) : mock),
    });
    closing(() => service.close());
    return new ServicePeer(name, context, service, service.fetch, classifyService);
  };
  return hosted(context, build, host);
}

/** What a mock is given in a scenario, at its origin. */
function surroundings(context: PeerContext, baseUrl: string) {
  const { clock, random } = context.harness;
  // The suite's providers run in this process: their keys need no network.
  const fetch = (url: string, { signal }: { readonly signal?: AbortSignal } = {}) =>
    fetchFromProvider(context, url, signal);
  return { baseUrl, clock, random, fetch, log: silentLog };
}

/** Serves a peer that is built once its origin is known. */
async function hosted<Built extends Peer>(
  { harness }: PeerContext,
  build: (origin: string) => Promise<Built>,
  host?: HostOptions,
): Promise<Built> {
  let peer: Built | undefined;
  await harness.host(async (origin) => {
    peer = await build(origin);
    return peer.handle;
  }, host);
  if (peer === undefined) throw new Error('The harness did not build the peer.');
  return peer;
}

/** The providers of each scenario, by origin. */
const providers = new WeakMap<PeerContext, Map<string, Handler>>();

async function fetchFromProvider(
  context: PeerContext,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  signal?.throwIfAborted();
  const handler = providers.get(context)?.get(new URL(url).origin);
  if (handler === undefined) throw new CannotTest(`The suite runs no provider at ${url}.`);
  return handler(new Request(url));
}

/** A provider that the suite runs; signs `email` in and consents for them without a page. */
export class ProviderPeer extends Peer {
  readonly issuer: string;

  constructor(context: PeerContext, mock: MockProvider, base: Handler) {
    super('provider', context, base, classifyProvider);
    this.issuer = mock.issuer;
  }
}

export interface ProviderPeerOptions {
  /** Lifetime of an ID-JAG in milliseconds. */
  readonly idJag?: number;
  /** What else the provider is made of. */
  readonly mock?: Partial<MockProviderOptions>;
}

export async function startProvider(
  context: PeerContext,
  { email, idJag, mock }: ProviderPeerOptions & { readonly email: string },
  closing: (close: () => Promise<void>) => void,
): Promise<ProviderPeer> {
  const { createMockProvider } = await import('../../mock-provider/index.ts');
  return hosted(context, async (origin) => {
    const provider = await createMockProvider({
      ...surroundings(context, origin),
      autoApprove: email,
      clientId: AGENT_CLIENT_ID,
      lifetimes: { interval: SECOND, ...(idJag !== undefined && { idJag }) },
      ...mock,
    });
    closing(() => provider.close());
    const handlers = providers.get(context) ?? new Map<string, Handler>();
    providers.set(context, handlers.set(origin, provider.fetch));
    return new ProviderPeer(context, provider, provider.fetch);
  });
}

const SERVICE_PATHS: readonly (readonly [RegExp, RequestKind])[] = [
  [/^\/api\/services/, 'directory'],
  [/^\/(api\/|mcp$)/, 'resource'],
  [/^\/agent\/identity\/claim\/complete$/, 'page'],
  [/^\/agent\/identity\/claim$/, 'claim'],
  [/^\/agent\/identity$/, 'identity'],
  [/^\/oauth2\/revoke$/, 'revoke'],
  [/^\/auth\.md$/, 'skill'],
  [/^\/(c|login|claim|logout|connections)\b/, 'page'],
];

const classifyService: Classify = ({ method, url, body }) => {
  const well = wellKnown(url);
  if (well !== undefined) return well;
  if (url.pathname === '/oauth2/token') return grantKind(method, body, url);
  return SERVICE_PATHS.find(([pattern]) => pattern.test(url.pathname))?.[1] ?? 'other';
};

const classifyProvider: Classify = ({ method, url, body }) => {
  if (url.pathname === '/oauth2/device_authorization') return 'device';
  if (url.pathname === '/oauth2/authorize') return 'authorize';
  if (url.pathname === '/oauth2/token') return grantKind(method, body, url);
  return wellKnown(url) ?? 'other';
};

/** Classifies requests to a peer that is neither the service nor the provider. */
export const classifyOther: Classify = (request) => classifyService(request);

function wellKnown({ pathname }: URL): RequestKind | undefined {
  if (pathname.includes(PROTECTED_RESOURCE)) return 'resource_metadata';
  const isServer = [AUTHORIZATION_SERVER, OPENID_CONFIGURATION].some((at) => pathname.includes(at));
  return isServer ? 'server_metadata' : undefined;
}

/** A poll is recognised by its claim token: the name of the claim grant differs between vendors. */
function grantKind(method: string, body: string, url: URL): RequestKind {
  if (method !== 'POST') return 'other';
  const form = new URLSearchParams(body || url.search);
  const grant = form.get('grant_type') ?? '';
  if (grant === DEVICE_CODE_GRANT) return 'device_poll';
  if (grant === TOKEN_EXCHANGE_GRANT) return 'mint';
  if (grant === 'authorization_code') return 'code';
  if (grant === 'refresh_token') return 'refresh';
  if (grant === JWT_BEARER_GRANT) return 'exchange';
  const isClaim = form.has('claim_token') || CLAIM_GRANT_ENDINGS.some((end) => grant.endsWith(end));
  return isClaim ? 'poll' : 'exchange';
}
