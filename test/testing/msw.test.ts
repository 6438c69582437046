import { setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionDropped } from '../../src/mock-service/index.ts';
import { mswHandlers } from '../../src/testing/msw.ts';
import { Agent, createMemoryStore } from '../../src/testing/node.ts';
import { createTestWorld, type TestWorld } from '../../src/testing/testing.ts';

let world: TestWorld;
let server: ReturnType<typeof setupServer>;

beforeEach(async () => {
  const apps = [{ issuer: 'https://api.example', fetch: () => new Response('ours') }];
  world = await createTestWorld({ apps });
  server = setupServer(...mswHandlers(world));
  server.listen({ onUnhandledRequest: 'bypass' });
});
afterEach(() => server.close());

describe('a test world behind MSW', () => {
  it('answers the global fetch at every URL of its origins', async () => {
    const { provider, service } = world;
    for (const url of [service.issuer, `${service.issuer}/`, `${service.issuer}/?x=1`]) {
      expect((await fetch(url)).status, url).toBe(200);
    }
    const metadata = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ issuer: provider.issuer });
    expect(await (await fetch('https://api.example/x')).text()).toBe('ours');
  });

  it('lets its user act for an agent that calls the global fetch', async () => {
    const { clock, service, user } = world;
    const sleep = async (ms: number) => clock.advance(ms);
    const agent = new Agent({ clock, sleep, store: createMemoryStore() });
    user.whenAsked('wait', 'approve');
    await agent.register({ service: service.issuer, type: 'service_auth', loginHint: user.email });
    expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed' });
  });

  it('takes mocks one by one, too, and the users of their world act', async () => {
    server.resetHandlers(...mswHandlers(world.service, world.provider));
    expect((await fetch(`${world.service.issuer}/api/resource`)).status).toBe(401);
  });
});

it('makes a network error of a connection that is dropped, as the network of the world does', async () => {
  const dropping = {
    issuer: 'https://drops.example',
    fetch: () => {
      throw new ConnectionDropped();
    },
  };
  server.use(...mswHandlers(dropping));
  await expect(fetch(dropping.issuer)).rejects.toThrow(TypeError);
  const { fetch: ofWorld } = await createTestWorld({ apps: [dropping] });
  await expect(ofWorld(dropping.issuer)).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: 'reset' },
  });
});

it('refuses what is no mock and no world, and says what it takes', () => {
  for (const wrong of [undefined, null, 'https://service.example', {}, { issuer: 'x' }]) {
    expect(() => mswHandlers(wrong as never)).toThrow(/^mswHandlers takes mocks, applications/);
  }
});
