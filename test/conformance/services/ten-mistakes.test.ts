import { describe, expect, it } from 'vitest';
import { MISTAKES, startTenMistakes } from './ten-mistakes.ts';
import { ceremonyOf } from './test-agent.ts';
import { TestVisitor } from './test-visitor.ts';
import {
  email,
  enterCode,
  openWorld,
  type Start,
  serviceAuth,
  type TestWorld,
} from './test-world.ts';

const withMistakes =
  (...mistakes: string[]): Start =>
  (options) =>
    startTenMistakes({ ...options, mistakes });

/** Whether the service does what the mistake says. */
const shows: Record<string, (world: TestWorld) => Promise<boolean>> = {
  'metadata-media-type': async ({ agent }) =>
    agent.resourceMetadataAnswer.headers.get('content-type') !== 'application/json',
  'id-jag-audience': async ({ agent, provider }) => {
    const assertion = await provider.idJag('https://other.example', { email: 'kay@example.com' });
    return (await agent.register({ type: 'identity_assertion', assertion })).status === 200;
  },
  'silent-link': async ({ agent, provider }) => {
    await new TestVisitor().signIn(ceremonyOf(await agent.register(serviceAuth)).uri, email);
    const assertion = await provider.idJag(agent.issuer);
    return (await agent.register({ type: 'identity_assertion', assertion })).status === 200;
  },
  'uncounted-codes': async ({ agent }) => {
    const { uri } = ceremonyOf(await agent.register(serviceAuth));
    for (let tries = 0; tries < 5; tries += 1) await enterCode(uri, 'x', email);
    return (await new TestVisitor().signIn(uri, email)).response.status === 200;
  },
  'any-account': async ({ agent }) => {
    const { code, uri } = ceremonyOf(await agent.register(serviceAuth));
    const visit = await new TestVisitor().signIn(uri, 'eve@example.com');
    if (visit.response.status !== 200) return false;
    return (await enterCode(uri, code, 'eve@example.com')).response.status === 200;
  },
  'token-cacheable': async ({ agent }) => {
    const { body } = await agent.register({ type: 'anonymous' });
    const { headers } = await agent.exchange(body['identity_assertion']);
    return headers.get('cache-control') !== 'no-store';
  },
  'open-redirect': async ({ agent }) => {
    const visitor = new TestVisitor();
    const visit = await visitor.open(`${agent.issuer}/login?return_to=https%3A%2F%2Fevil.test%2F`);
    const { response } = await visitor.submit(visit, { email }, {}, false);
    return response.headers.get('location') === 'https://evil.test/';
  },
  'no-csrf': async ({ agent }) => {
    const { code, uri } = ceremonyOf(await agent.register(serviceAuth));
    const visitor = new TestVisitor();
    const visit = await visitor.signIn(uri, email);
    const foreign = { Origin: 'https://evil.test' };
    const { response } = await visitor.submit(visit, { user_code: code, csrf: '' }, foreign);
    return response.status === 200;
  },
  'duplicate-set': async ({ agent, provider }) => {
    const event = await provider.event(agent.issuer);
    await agent.notify(event);
    return (await agent.notify(event)).status === 400;
  },
  'unknown-token-revoke': async ({ agent }) => (await agent.revoke('made-up')).status === 400,
};

describe('the service with ten mistakes', () => {
  const ids = MISTAKES.map(({ id }) => id);

  it('has ten, each with a test here', () => {
    expect(ids).toHaveLength(10);
    expect(Object.keys(shows)).toEqual(ids);
  });

  it.each(ids)('makes the mistake %s when asked to, and no other', async (id) => {
    expect(await shown(() => openWorld(withMistakes(id)))).toEqual([id]);
  });

  it('makes all ten when nothing is chosen, and none when none is', async () => {
    expect(await shown(() => openWorld(startTenMistakes))).toEqual(ids);
    expect(await shown(() => openWorld(withMistakes()))).toEqual([]);
  });

  it('has no other', async () => {
    await expect(startTenMistakes({ mistakes: ['made-up'] })).rejects.toThrow('made-up');
  });
});

async function shown(opened: () => Promise<TestWorld>): Promise<string[]> {
  const seen: string[] = [];
  for (const [id, probe] of Object.entries(shows)) if (await probe(await opened())) seen.push(id);
  return seen;
}
