import { afterEach, describe, expect, it } from 'vitest';
import { Agent, createMemoryStore, type TypeThereCeremony } from '../../src/agent/index.ts';
import { createMockProvider, type MockProvider } from '../../src/mock-provider/index.ts';
import { createMockService, type MockService } from '../../src/mock-service/index.ts';
import { FakeClock, fakeSleep, SeededRandom, silentLog } from '../../src/runtime/index.ts';
import { Explainer } from '../../src/traffic/index.ts';
import { told } from '../conformance/passive/judge-exchanges.ts';
import { TestUser } from '../support/test-user.ts';
import { typeThere } from '../support/type-there.ts';
import { type Harness, LOCAL, proxyTo } from './harness.ts';

const SERVICE = 'https://service.test';
const PROVIDER = 'https://provider.test';
const LOCAL_PROVIDER = 'http://127.0.0.1:4701';

let provider: MockProvider;
let service: MockService;
let harness: Harness;
let agent: Agent;
let meanwhile: (() => Promise<unknown>) | undefined;

/** @param fronted whether the proxy stands in front of the provider, too. */
async function start(fronted: boolean): Promise<void> {
  const clock = new FakeClock();
  const servers = {
    [SERVICE]: (request: Request) => service.fetch(request),
    [PROVIDER]: (request: Request) => provider.fetch(request),
  };
  harness = await proxyTo(servers, {
    to: SERVICE,
    clock,
    provider: fronted ? PROVIDER : undefined,
  });
  const ports = { clock, log: silentLog };
  provider = await createMockProvider({
    ...ports,
    fetch: harness.fetch,
    random: new SeededRandom(1),
    baseUrl: PROVIDER,
    audiences: fronted ? [{ issuer: SERVICE }] : ['any'],
  });
  service = await createMockService({
    ...ports,
    fetch: harness.fetch,
    random: new SeededRandom(2),
    baseUrl: SERVICE,
    trust: [{ issuer: PROVIDER }],
  });
  const sleep = fakeSleep(clock, async () => {
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
  });
  const random = new SeededRandom(3);
  agent = new Agent({ ...ports, fetch: harness.fetch, sleep, random, store: createMemoryStore() });
}

afterEach(async () => {
  const { exchanges } = harness.exchanges.read();
  expect(told(exchanges)).toEqual([]);
  await provider.close();
  await service.close();
});

/** A browser of its own. */
const newUser = () => new TestUser(harness.send);

async function signIn(issuer: string): Promise<TestUser> {
  const user = newUser();
  const login = await agent.providerLogin({ provider: issuer });
  const { ceremony } = login;
  expect(ceremony.verificationUri).toMatch(new RegExp(`^${issuer}/`));
  meanwhile = async () => {
    const page = await user.openSignedIn(ceremony.verificationUri, 'alice@example.com');
    const asked = await user.submit(page, '/device', { user_code: ceremony.userCode.reveal() });
    await user.submit(asked, '/device', { decision: 'approve' });
  };
  expect(await login.wait()).toMatchObject({ status: 'signed_in' });
  return user;
}

/** Types the code on the claim page, as the user of the account. */
async function approve(ceremony: TypeThereCeremony, email: string): Promise<void> {
  expect(ceremony.verificationUri).toMatch(new RegExp(`^${LOCAL}/`));
  const user = newUser();
  const page = await user.openSignedIn(ceremony.verificationUri, email);
  const end = await user.submit(page, '/agent/identity/claim/complete', {
    user_code: ceremony.userCode.reveal(),
    decision: 'approve',
  });
  expect(end.response.status).toBe(200);
}

const idJagAt = (issuer: string) =>
  ({ service: LOCAL, type: 'identity_assertion', provider: issuer }) as const;

/** The claims of the assertion that the service got with the last registration. */
function assertionAtService(): unknown {
  const { exchanges } = harness.exchanges.read();
  const sent = exchanges.findLast(({ path }) => path === '/agent/identity')?.request.body;
  return (sent as { assertion?: { claims?: unknown } } | undefined)?.assertion?.claims;
}

describe('our agent through the proxy to our mock', () => {
  it('registers anonymously, calls, is claimed on the pages, and writes', async () => {
    await start(true);
    const registered = await agent.register({ service: LOCAL, type: 'anonymous' });
    expect(registered).toMatchObject({ status: 'registered', warnings: [] });
    expect((await agent.call('/api/resource')).status).toBe(200);
    const started = await agent.startClaim({ email: 'alice@example.com' });
    if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
    meanwhile = () => approve(typeThere(started.ceremony), 'alice@example.com');
    expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect((await agent.call('/api/resource', { method: 'POST' })).status).toBe(200);
  });

  it('registers by email and waits for the user', async () => {
    await start(true);
    const request = { service: LOCAL, type: 'service_auth', loginHint: 'bob@example.com' } as const;
    const outcome = await agent.register(request);
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    meanwhile = () => approve(typeThere(outcome.ceremony), 'bob@example.com');
    expect((await agent.waitForClaim()).status).toBe('claimed');
    expect((await agent.call('/api/resource')).status).toBe(200);
    expect((await agent.revoke()).status).toBe('revoked');
  });

  it('registers with an ID-JAG that its provider signed for the service itself', async () => {
    await start(true);
    const user = await signIn(LOCAL_PROVIDER);
    const asked = await agent.register(idJagAt(LOCAL_PROVIDER));
    if (asked.status !== 'consent_required') throw new Error(asked.status);
    await user.submit(await user.open(asked.consentUri), '/consent', { decision: 'approve' });
    expect(await agent.register(idJagAt(LOCAL_PROVIDER))).toMatchObject({ status: 'registered' });
    expect(assertionAtService()).toMatchObject({ iss: PROVIDER, aud: SERVICE });
    expect((await agent.call('/api/resource', { method: 'POST' })).status).toBe(200);
  });

  it('is refused, before anything is sent, with an ID-JAG that was signed for the proxy', async () => {
    await start(false);
    const user = await signIn(PROVIDER);
    const asked = await agent.register(idJagAt(PROVIDER));
    if (asked.status !== 'consent_required') throw new Error(asked.status);
    await user.submit(await user.open(asked.consentUri), '/consent', { decision: 'approve' });
    await expect(agent.register(idJagAt(PROVIDER))).rejects.toMatchObject({
      problem: {
        code: 'invalid_audience',
        description: expect.stringContaining(`--provider ${PROVIDER}`),
      },
    });
    expect(harness.received.map(({ url }) => url)).not.toContain(`${SERVICE}/agent/identity`);
    const refused = harness.exchanges.read().exchanges.at(-1);
    expect(refused).toMatchObject({ path: '/agent/identity', status: 400 });
    expect(refused?.response.headers['proxy-status']).toMatch(/error=http_request_denied/);
  });

  it('is recorded as if there were no proxy', async () => {
    await start(true);
    await agent.register({ service: LOCAL, type: 'anonymous' });
    await agent.call('/api/resource');
    const { exchanges } = harness.exchanges.read();
    expect(exchanges.map(({ path }) => path)).toContain('/oauth2/token');
    expect(JSON.stringify(exchanges)).not.toContain('127.0.0.1');
    expect(exchanges.filter(({ response }) => response.bodyState === 'incomplete')).toEqual([]);
    const explainer = new Explainer();
    expect(exchanges.map((each) => explainer.explain(each).step)).toEqual(
      expect.arrayContaining(['server_metadata', 'register', 'exchange', 'call']),
    );
  });
});
