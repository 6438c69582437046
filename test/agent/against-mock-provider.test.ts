import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent, createMemoryStore, type TypeThereCeremony } from '../../src/agent/index.ts';
import { createMockProvider, type MockProvider } from '../../src/mock-provider/index.ts';
import { createMockService, type MockService } from '../../src/mock-service/index.ts';
import {
  FakeClock,
  type Fetch,
  fakeSleep,
  SeededRandom,
  silentLog,
} from '../../src/runtime/index.ts';
import { TestUser } from '../support/test-user.ts';
import { typeThere } from '../support/type-there.ts';

const PROVIDER = 'https://provider.test';
const SERVICE = 'https://service.test';

let clock: FakeClock;
let provider: MockProvider;
let service: MockService;
let agent: Agent;
let user: TestUser;
/** What the user does while the agent waits. */
let meanwhile: (() => Promise<unknown>) | undefined;

const network: Fetch = async (url, init = {}) => {
  const server = url.startsWith(`${PROVIDER}/`) ? provider : service;
  const { method, headers, body } = init;
  return server.fetch(
    new Request(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    }),
  );
};

beforeEach(async () => {
  clock = new FakeClock();
  const ports = { clock, fetch: network, log: silentLog };
  provider = await createMockProvider({
    ...ports,
    random: new SeededRandom(1),
    baseUrl: PROVIDER,
    audiences: [{ issuer: SERVICE, scopes: ['api.read', 'api.write'] }],
  });
  service = await createMockService({
    ...ports,
    random: new SeededRandom(2),
    baseUrl: SERVICE,
    trust: [{ issuer: PROVIDER }],
    users: [{ email: 'bob@example.com' }],
  });
  meanwhile = undefined;
  const sleep = fakeSleep(clock, async () => {
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
  });
  agent = new Agent({ ...ports, sleep, random: new SeededRandom(3), store: createMemoryStore() });
});

afterEach(async () => {
  await provider.close();
  await service.close();
});

/** Types the code of a device sign-in and approves. */
async function approveSignIn({ verificationUri, userCode }: TypeThereCeremony, email: string) {
  // A browser without a session: an old sign-in would have to be renewed first.
  user = new TestUser((sent) => provider.fetch(sent));
  const page = await user.openSignedIn(verificationUri, email);
  const asked = await user.submit(page, '/device', { user_code: userCode.reveal() });
  await user.submit(asked, '/device', { decision: 'approve' });
}

async function signIn(email: string): Promise<void> {
  const login = await agent.providerLogin({ provider: PROVIDER });
  meanwhile = () => approveSignIn(login.ceremony, email);
  expect(await login.wait()).toMatchObject({ status: 'signed_in', session: { account: email } });
}

async function decide(consentUri: string, decision: 'approve' | 'deny'): Promise<void> {
  await user.submit(await user.open(consentUri), '/consent', { decision });
}

const request = { service: SERVICE, type: 'identity_assertion', provider: PROVIDER } as const;

describe('the agent against the mock provider and the mock service', () => {
  it('signs in, is asked for consent, mints, registers and calls', async () => {
    await signIn('alice@example.com');
    const asked = await agent.register(request);
    if (asked.status !== 'consent_required') throw new Error(asked.status);
    expect(asked.openable).toBe(true);
    await decide(asked.consentUri, 'approve');
    expect(await agent.register(request)).toMatchObject({
      status: 'registered',
      token: { scopes: ['api.read', 'api.write'] },
      registration: { provider: PROVIDER, email: 'alice@example.com' },
    });
    expect((await agent.call('/api/resource', { method: 'POST' })).status).toBe(200);
  });

  it('waits for the consent, and hears when it is refused', async () => {
    await signIn('alice@example.com');
    const consent = (decision: 'approve' | 'deny') =>
      agent.providerConsent({
        audience: SERVICE,
        onConsentRequired: ({ consentUri }) => {
          meanwhile = () => decide(consentUri, decision);
        },
      });
    await expect(consent('deny')).rejects.toMatchObject({ code: 'access_denied', kind: 'refused' });
    expect((await consent('approve')).status).toBe('given');
    expect((await agent.providerMint({ audience: SERVICE })).status).toBe('minted');
  });

  it('lets the user of an account confirm the link first', async () => {
    await signIn('bob@example.com');
    const asked = await agent.register(request);
    if (asked.status !== 'consent_required') throw new Error(asked.status);
    await decide(asked.consentUri, 'approve');
    const pending = await agent.register(request);
    if (pending.status !== 'claim_pending') throw new Error(pending.status);
    const { verificationUri, userCode } = typeThere(pending.ceremony);
    meanwhile = async () => {
      const visitor = new TestUser((sent) => service.fetch(sent));
      const page = await visitor.openSignedIn(verificationUri, 'bob@example.com');
      await visitor.submit(page, '/agent/identity/claim/complete', {
        user_code: userCode.reveal(),
        decision: 'approve',
      });
    };
    expect((await agent.waitForClaim()).status).toBe('claimed');
  });

  it('registers again by itself when its assertion has ended', async () => {
    await signIn('alice@example.com');
    const asked = await agent.register(request);
    if (asked.status === 'consent_required') await decide(asked.consentUri, 'approve');
    await agent.register(request);
    clock.advance(59 * 60_000);
    expect((await agent.call('/api/resource')).status).toBe(200);
    clock.advance(2 * 60_000);
    await expect(agent.call('/api/resource')).rejects.toMatchObject({
      code: 'login_needed',
      next: { command: 'provider login', args: [PROVIDER, '--fresh'] },
    });
    await signIn('alice@example.com');
    expect((await agent.call('/api/resource')).status).toBe(200);
  });

  it('says when the service or the provider is not there for that audience', async () => {
    await signIn('alice@example.com');
    await expect(agent.providerMint({ audience: 'https://unknown.example' })).rejects.toMatchObject(
      { code: 'invalid_target', kind: 'refused' },
    );
  });
});
