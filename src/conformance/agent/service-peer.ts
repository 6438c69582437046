import { createMockProvider, type MockProvider } from '../../mock-provider/index.ts';
import {
  createMockService,
  type MockService,
  type MockServiceOptions,
} from '../../mock-service/index.ts';
import {
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { silentLog } from '../../runtime/index.ts';
import { CannotTest } from '../engine/judge.ts';
import type { Handler, HostOptions } from './harness.ts';
import { type Classify, Peer, type Scene } from './peer.ts';
import type { Kind } from './seen.ts';

const SECOND = 1000;
export const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';
export const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';

/** Paths, and a name. */
export interface LaidOut {
  readonly metadata: string;
  readonly issuer: string;
  readonly name: string;
}

/** A service that the suite plays, with a person who claims at it. */
export class ServicePeer extends Peer {
  readonly origin: string;
  readonly mock: MockService;
  /** Where a lay-out puts its documents, and its name: no rule derives them. */
  readonly laidOut: LaidOut;

  constructor(name: string, scene: Scene, mock: MockService, base: Handler, classify: Classify) {
    super(name, scene, base, classify);
    this.origin = mock.issuer;
    this.mock = mock;
    const { invented } = scene;
    this.laidOut = {
      metadata: `/${invented.word()}/${invented.word()}.json`,
      issuer: `/${invented.word()}`,
      name: invented.name(),
    };
  }

  get resource(): string {
    return `${this.origin}/api/resource`;
  }

  /** The person types the right code, for the newest registration. */
  async complete(): Promise<void> {
    await this.mock.controls.complete(await this.#newest());
  }

  async deny(): Promise<void> {
    await this.mock.controls.deny(await this.#newest());
  }

  /** From now on the person completes the claim at the nth poll, before it is answered. */
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

export interface PlayedService extends HostOptions {
  readonly name?: string;
  readonly mock?: Partial<MockServiceOptions>;
  /** Seconds. */
  readonly interval?: number;
  /** Milliseconds. */
  readonly userCode?: number;
  readonly trust?: readonly string[];
}

/** Starts a service with short times, so that nobody waits for long. */
export async function playService(
  scene: Scene,
  { name = 'service', mock, interval = 1, userCode, trust = [], ...host }: PlayedService,
  closing: (close: () => Promise<void>) => void,
): Promise<ServicePeer> {
  const { stage } = scene;
  let peer: ServicePeer | undefined;
  await stage.host(async (origin) => {
    const service = await createMockService({
      baseUrl: origin,
      clock: stage.clock,
      random: stage.random,
      // Providers are played in this process, so their keys need no network.
      fetch: (url, init = {}) => fetchPlayed(scene, url, init.signal),
      log: silentLog,
      trust: trust.map((issuer) => ({ issuer, name: 'Conformance provider' })),
      lifetimes: { interval: interval * SECOND, ...(userCode !== undefined && { userCode }) },
      ...mock,
    });
    closing(() => service.close());
    peer = new ServicePeer(name, scene, service, service.fetch, classifyService);
    return peer.handle;
  }, host);
  if (peer === undefined) throw new Error('The stage did not build the service.');
  return peer;
}

const played = new WeakMap<Scene, Map<string, Handler>>();

async function fetchPlayed(
  scene: Scene,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  signal?.throwIfAborted();
  const handler = played.get(scene)?.get(new URL(url).origin);
  if (handler === undefined) throw new CannotTest(`No provider is played at ${url}.`);
  return handler(new Request(url));
}

/** A provider that the suite plays; signs `email` in, and agrees for them, without a page. */
export class ProviderPeer extends Peer {
  readonly issuer: string;

  constructor(scene: Scene, mock: MockProvider, base: Handler) {
    super('provider', scene, base, classifyProvider);
    this.issuer = mock.issuer;
  }
}

/** @param idJag milliseconds that an ID-JAG lives. */
export async function playProvider(
  scene: Scene,
  { email, idJag }: { readonly email: string; readonly idJag?: number },
  closing: (close: () => Promise<void>) => void,
): Promise<ProviderPeer> {
  const { stage } = scene;
  let peer: ProviderPeer | undefined;
  await stage.host(async (origin) => {
    const provider = await createMockProvider({
      baseUrl: origin,
      clock: stage.clock,
      random: stage.random,
      fetch: (url, init = {}) => fetchPlayed(scene, url, init.signal),
      log: silentLog,
      autoApprove: email,
      lifetimes: { interval: SECOND, ...(idJag !== undefined && { idJag }) },
    });
    closing(() => provider.close());
    const handlers = played.get(scene) ?? new Map<string, Handler>();
    played.set(scene, handlers.set(origin, provider.fetch));
    peer = new ProviderPeer(scene, provider, provider.fetch);
    return peer.handle;
  });
  if (peer === undefined) throw new Error('The stage did not build the provider.');
  return peer;
}

const SERVICE_PATHS: readonly (readonly [RegExp, Kind])[] = [
  [/^\/api\/services/, 'directory'],
  [/^\/api\//, 'resource'],
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
  if (url.pathname === '/oauth2/token') return grantKind(method, body, url);
  return wellKnown(url) ?? 'other';
};

/** Of a peer that is nobody in particular. */
export const classifyStranger: Classify = (request) => classifyService(request);

function wellKnown({ pathname }: URL): Kind | undefined {
  if (pathname.includes(PROTECTED_RESOURCE)) return 'resource_metadata';
  return pathname.includes(AUTHORIZATION_SERVER) ? 'server_metadata' : undefined;
}

/** A poll is known by its claim token, however its grant is called. */
function grantKind(method: string, body: string, url: URL): Kind {
  if (method !== 'POST') return 'other';
  const form = new URLSearchParams(body || url.search);
  const grant = form.get('grant_type') ?? '';
  if (grant === DEVICE_CODE_GRANT) return 'device_poll';
  if (grant === TOKEN_EXCHANGE_GRANT) return 'mint';
  if (grant === JWT_BEARER_GRANT) return 'exchange';
  const isClaim = form.has('claim_token') || CLAIM_GRANT_ENDINGS.some((end) => grant.endsWith(end));
  return isClaim ? 'poll' : 'exchange';
}
