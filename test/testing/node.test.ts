import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { type SetupServer, setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock, fakeSleep, SeededRandom } from '../../src/runtime/index.ts';
import { createMockProvider, type MockProvider } from '../../src/testing/mock-provider.ts';
import { createMockService, type MockService } from '../../src/testing/mock-service.ts';
import { mswHandlers } from '../../src/testing/msw.ts';
import { Agent, createMemoryStore } from '../../src/testing/node.ts';
import { testFolder } from '../support/test-folder.ts';

let home: string;
let service: MockService;
let provider: MockProvider;
let server: SetupServer;

beforeEach(async () => {
  home = testFolder();
  vi.stubEnv('AGENT_AUTH_HOME', home);
});

afterEach(async () => {
  server?.close();
  await Promise.all([service?.close(), provider?.close()]);
});

function listen(): void {
  server = setupServer(...[service, provider].flatMap((app) => (app ? mswHandlers(app) : [])));
  server.listen({ onUnhandledRequest: 'error' });
}

describe('new Agent(), with nothing given', () => {
  it('registers and calls under setupServer, and opens no socket', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    // Made before MSW is there: the global fetch is looked up at each call.
    const agent = new Agent();
    service = await createMockService();
    listen();
    const registered = await agent.register({ service: service.issuer, type: 'anonymous' });
    expect(registered).toMatchObject({ status: 'registered', token: { scopes: ['api.read'] } });
    const answer = await agent.call('/api/resource');
    expect(answer.status).toBe(200);
    expect(answer.url).toBe(`${service.issuer}/api/resource`);
    expect(await answer.response.json()).toMatchObject({ registration_id: expect.any(String) });
    expect(connect).not.toHaveBeenCalled();
  });

  it('keeps what it learnt in the credential file, for the next one', async () => {
    service = await createMockService();
    listen();
    await new Agent().register({ service: service.issuer, type: 'anonymous' });
    const file = join(home, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { location, services } = await new Agent().status();
    expect(location).toBe(file);
    expect(services).toMatchObject([
      { issuer: service.issuer, registrations: [{ current: true }] },
    ]);
  });

  it('takes each part from outside', async () => {
    const clock = new FakeClock();
    service = await createMockService({ clock });
    provider = await createMockProvider({ clock, autoApprove: 'alice@example.com' });
    await service.controls.trust({ issuer: provider.issuer });
    listen();
    const agent = new Agent({
      store: createMemoryStore(),
      clock,
      sleep: fakeSleep(clock),
      random: new SeededRandom(),
    });
    const login = await agent.providerLogin({ provider: provider.issuer });
    expect(await login.wait()).toMatchObject({ status: 'signed_in' });
    const registered = await agent.register({
      service: service.issuer,
      type: 'identity_assertion',
      provider: provider.issuer,
    });
    expect(registered).toMatchObject({
      status: 'registered',
      registration: { createdAt: clock.now() },
    });
    expect((await agent.status()).location).toBe('memory');
  });

  it('says why there is no answer, whatever fetch it was given', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const refused = { code: 'unreachable', message: expect.stringContaining('Nothing listens') };
    for (const timeLimit of [undefined, Number.POSITIVE_INFINITY]) {
      const agent = new Agent({ store: createMemoryStore(), fetch, timeLimit });
      await expect(agent.discover({ address: 'https://a.example' })).rejects.toMatchObject(refused);
    }
  });
});

describe('an option that there is not', () => {
  const refused = /^There is no option "/;

  it('is refused, and the one that was meant is named', async () => {
    const wrong: object = { dialct: 'nested' };
    const misspelt: object = { baseURL: 'https://idp.example' };
    const ofService: object = { vendor: 'acme' };
    const meant = 'There is no option "dialct". Did you mean dialect?';
    expect(() => new Agent(wrong)).toThrow(meant);
    await expect(createMockService(wrong)).rejects.toThrow(meant);
    await expect(createMockProvider(misspelt)).rejects.toThrow(
      /^There is no option "baseURL"\. Did you mean baseUrl\?$/,
    );
    await expect(createMockProvider(ofService)).rejects.toThrow(refused);
  });

  it('may be there without a value', async () => {
    const without: object = { dialct: undefined };
    service = await createMockService(without);
    expect(service.issuer).toBe('https://service.example');
  });

  it('says of faults that they are a list, where one name was read letter by letter', async () => {
    const wrong: object = { faults: 'unavailable' };
    const isList = "faults is a list, such as ['unavailable'].";
    await expect(createMockService(wrong)).rejects.toThrow(isList);
    await expect(createMockProvider(wrong)).rejects.toThrow(isList);
  });
});

it('sends the members that it was given, which `new Agent()` left out', async () => {
  service = await createMockService();
  const bodies: unknown[] = [];
  const agent = new Agent({
    store: createMemoryStore(),
    members: { client_id: 'my-agent' },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'POST') bodies.push(await request.clone().text());
      return service.fetch(request);
    },
  });
  await agent.register({ service: service.issuer, type: 'anonymous' });
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(body).toMatch(/client_id("?[:=]"?)my-agent/);
  expect(() => new Agent({ members: { type: 'mine' } })).toThrow(
    expect.objectContaining({ code: 'bad_member' }),
  );
});

describe('the mocks, with nothing given', () => {
  it('find each other by the global fetch, so that MSW carries what they say', async () => {
    service = await createMockService({ trust: [{ issuer: 'https://provider.example' }] });
    provider = await createMockProvider({ autoApprove: 'alice@example.com' });
    listen();
    const home = await fetch(`${provider.issuer}/.well-known/jwks.json`);
    expect(await home.json()).toMatchObject({ keys: [{ kty: 'EC' }] });
    expect(provider.issuer).toBe('https://provider.example');
    expect(service.issuer).toBe('https://service.example');
  });
});
