import { afterEach, beforeEach, vi } from 'vitest';
import type { ClientOptions } from '../../src/mock/clients/client.ts';
import { type Served, serve } from '../../src/mock/http/serve.ts';
import { createMockProvider, type MockProvider } from '../../src/mock-provider/index.ts';
import { createMockService, type MockService } from '../../src/mock-service/index.ts';
import { SeededRandom, silentLog, systemClock } from '../../src/runtime/index.ts';
import { REDIRECT } from '../support/code-client.ts';
import { TestUser } from '../support/test-user.ts';

export const ALICE = { email: 'alice@example.com', name: 'Alice', phone: '+15195550100' };

/** Both mocks, known to each other, and what their user does in a browser. */
export class World {
  readonly provider: MockProvider;
  readonly service: MockService;
  /** Runs before each poll of the device grant with its number, from 1 on. */
  onPoll: (number: number) => Promise<void> = async () => {};
  #polls = 0;

  private constructor(provider: MockProvider, service: MockService) {
    this.provider = provider;
    this.service = service;
  }

  /**
   * @param url where each will answer.
   * @param clients those that both know; without, both take any.
   */
  static async create(
    url: { readonly provider: string; readonly service: string },
    clients: readonly ClientOptions[] = [],
  ) {
    const byOrigin = new Map<string, (request: Request) => Promise<Response>>();
    const fetch = (to: string) =>
      byOrigin.get(new URL(to).origin)?.(new Request(to)) ?? Promise.reject(new Error(to));
    const common = { clock: systemClock, log: silentLog, fetch };
    const provider = await createMockProvider({
      ...common,
      baseUrl: url.provider,
      random: new SeededRandom(1),
      users: [ALICE],
      ...(clients.length > 0 && {
        clients: clients.map((client) => ({ ...client, redirectUris: [REDIRECT] })),
        audiences: [url.service],
      }),
    });
    const service = await createMockService({
      ...common,
      baseUrl: url.service,
      random: new SeededRandom(2),
      trust: [{ issuer: url.provider }],
      ...(clients.length > 0 && { clients }),
    });
    byOrigin.set(url.provider, provider.fetch);
    byOrigin.set(url.service, service.fetch);
    return new World(provider, service);
  }

  /** What the clients are given as their fetch: the mocks are called, no network is used. */
  readonly fetch = async (url: string, init: object): Promise<Response> => {
    const request = new Request(url, init);
    const mock = request.url.startsWith(this.provider.issuer) ? this.provider : this.service;
    if (String((init as RequestInit).body).includes('device_code=')) {
      this.#polls += 1;
      await this.onPoll(this.#polls);
    }
    return mock.fetch(request);
  };

  get polls(): number {
    return this.#polls;
  }

  /** The user opens the link of a device authorization, signs in and approves. */
  async approve(verificationUri: string | undefined): Promise<void> {
    const user = new TestUser(this.provider.fetch);
    const page = await user.openSignedIn(String(verificationUri), ALICE.email);
    await user.submit(page, '/device', { decision: 'approve' });
  }

  /** The user, signed in, follows the link of a client; where the browser is sent. */
  readonly visit = async (url: string): Promise<string> => {
    const user = new TestUser(this.provider.fetch);
    await user.openSignedIn(`${this.provider.issuer}/login`, ALICE.email);
    return String((await user.request(url)).headers.get('location'));
  };

  /** The user agrees to be identified to a service. */
  async consent(uri: unknown): Promise<void> {
    const user = new TestUser(this.provider.fetch);
    const page = await user.openSignedIn(String(uri), ALICE.email);
    await user.submit(page, '/consent', { decision: 'approve' });
  }

  /** Registers by an ID-JAG at the endpoint that the service's metadata names; the identity assertion. */
  async register(identityEndpoint: string, idJag: string): Promise<string> {
    const body = await this.post(identityEndpoint, {
      type: 'identity_assertion',
      assertion: idJag,
    });
    return String(body['identity_assertion']);
  }

  /** An anonymous registration with an open claim: its token, and how the user completes it. */
  async startClaim(agentAuth: Readonly<Record<string, unknown>>) {
    const { claim_token } = await this.post(agentAuth['identity_endpoint'], { type: 'anonymous' });
    const email = 'bob@example.com';
    const started = await this.post(agentAuth['claim_endpoint'], { claim_token, email });
    const attempt = started['claim_attempt'] as Record<string, unknown>;
    const complete = async () => {
      const user = new TestUser(this.service.fetch);
      const page = await user.openSignedIn(String(attempt['verification_uri']), email);
      await user.submit(page, '/agent/identity/claim/complete', {
        user_code: String(attempt['user_code']),
        decision: 'approve',
      });
    };
    return { claimToken: String(claim_token), complete };
  }

  async close(): Promise<void> {
    await Promise.all([this.provider.close(), this.service.close()]);
  }

  private async post(url: unknown, body: object): Promise<Record<string, unknown>> {
    const response = await this.service.fetch(
      new Request(String(url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return (await response.json()) as Record<string, unknown>;
  }
}

/**
 * Time for the clients and the mocks alike: it passes when somebody waits, so that nobody does. The clients
 * ask `Date` whether a token is good, and take no other clock.
 */
export function withMovedTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Serves both mocks over HTTP on this machine. */
export async function serveWorld(
  clients: readonly ClientOptions[] = [],
): Promise<{ world: World; close: () => Promise<void> }> {
  let world: World | undefined;
  const part = (name: 'provider' | 'service'): Promise<Served> =>
    serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => async (request) => {
        if (world === undefined) throw new Error('The mocks are not made yet.');
        return world[name].fetch(request);
      },
    });
  const provider = await part('provider');
  const service = await part('service');
  world = await World.create({ provider: provider.origin, service: service.origin }, clients);
  const close = async () => {
    await Promise.all([provider.close(), service.close()]);
    await world?.close();
  };
  return { world, close };
}
