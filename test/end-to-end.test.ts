import { beforeEach, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../src/agent/index.ts';
import { createMockProvider, type MockProvider } from '../src/mock-provider/index.ts';
import { createMockService, type MockService } from '../src/mock-service/index.ts';
import {
  FakeClock,
  type Fetch,
  fakeSleep,
  NetworkError,
  SeededRandom,
  silentLog,
} from '../src/runtime/index.ts';
import { TestUser } from './support/test-user.ts';

const SERVICE = 'https://service.test';
const PROVIDER = 'https://provider.test';
const DANA = 'dana@example.com';

const clock = new FakeClock();
let service: MockService;
let provider: MockProvider;
let agent: Agent;
let dana: TestUser;
/** What the user does while the agent waits. */
let meanwhile: () => Promise<void>;

/** The three roles know each other by URL alone: every request from one to another goes through here. */
const network: Fetch = async (url, { body, headers, method } = {}) => {
  const peer = [service, provider].find(({ issuer }) => url.startsWith(`${issuer}/`));
  if (peer === undefined) throw new NetworkError('not_found', 'The host name is unknown.');
  return peer.fetch(
    new Request(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(typeof body === 'string' && { body }),
    }),
  );
};

beforeEach(async () => {
  const runtime = { clock, fetch: network, log: silentLog };
  service = await createMockService({
    ...runtime,
    baseUrl: SERVICE,
    random: new SeededRandom(1),
    trust: [{ issuer: PROVIDER, name: 'Example Provider' }],
  });
  provider = await createMockProvider({
    ...runtime,
    baseUrl: PROVIDER,
    random: new SeededRandom(2),
    audiences: [{ issuer: SERVICE, name: 'Example Service' }],
  });
  meanwhile = async () => {};
  const sleep = fakeSleep(clock, () => meanwhile());
  agent = new Agent({ ...runtime, sleep, random: new SeededRandom(3), store: createMemoryStore() });
  dana = new TestUser(async (request) =>
    (request.url.startsWith(SERVICE) ? service : provider).fetch(request),
  );
});

async function signIn(): Promise<void> {
  const login = await agent.providerLogin({ provider: PROVIDER });
  const { userCode, verificationUri } = login.ceremony;
  meanwhile = async () => {
    meanwhile = async () => {};
    const page = await dana.openSignedIn(verificationUri, DANA);
    const confirm = await dana.submit(page, '/device', { user_code: userCode.reveal() });
    await dana.submit(confirm, '/device', { decision: 'approve' });
  };
  expect(await login.wait()).toMatchObject({ status: 'signed_in' });
}

const register = () =>
  agent.register({ service: SERVICE, type: 'identity_assertion', provider: PROVIDER });

it('three roles: the provider vouches, the service issues, the agent calls [AR-DOES-1] [AR-EP-11]', async () => {
  await signIn();
  const asked = await register();
  expect(asked).toMatchObject({ status: 'consent_required', audience: SERVICE });
  if (asked.status !== 'consent_required') return;
  const page = await dana.open(asked.consentUri);
  expect(page.text).toContain('Example Service');
  await dana.submit(page, '/consent', { decision: 'approve' });

  expect(await register()).toMatchObject({ status: 'registered' });
  const answer = await agent.call('/api/resource', { method: 'POST' });
  expect(answer.status).toBe(200);
  expect(await answer.response.json()).toMatchObject({ user: { email: DANA } });
});

it('names nobody to a service without consent [AR-AUTH-3]', async () => {
  await signIn();
  const asked = await register();
  expect(asked.status).toBe('consent_required');
  if (asked.status !== 'consent_required') return;
  const page = await dana.open(asked.consentUri);
  await dana.submit(page, '/consent', { decision: 'deny' });
  await expect(register()).rejects.toMatchObject({ kind: 'refused' });
});

it('mints for no service that the provider does not know', async () => {
  await signIn();
  const mint = agent.providerMint({ provider: PROVIDER, audience: 'https://other.test' });
  await expect(mint).rejects.toMatchObject({ kind: 'refused' });
});
