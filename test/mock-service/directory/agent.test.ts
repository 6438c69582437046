import { afterEach, beforeEach, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../../src/agent/index.ts';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { FakeClock, fakeSleep, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';

const clock = new FakeClock();
const fetch = createSystemFetch({ proxyFor: () => undefined });
let served: Served;
/** What went over the wire: method, path, status. */
let seen: string[];
let agent: Agent;

beforeEach(async () => {
  seen = [];
  served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (origin) => {
      const service = await createMockService({
        baseUrl: origin,
        clock,
        fetch,
        random: new SeededRandom(1),
        log: silentLog,
      });
      return async (request) => {
        const answer = await service.fetch(request);
        seen.push(`${request.method} ${new URL(request.url).pathname} ${answer.status}`);
        return answer;
      };
    },
  });
  agent = new Agent({
    clock,
    fetch,
    sleep: fakeSleep(clock),
    random: new SeededRandom(2),
    log: silentLog,
    store: createMemoryStore(),
  });
});
afterEach(() => served.close());

it('an agent that knows one URL of the catalog walks from its 401 to its answer', async () => {
  const path = '/v2/buildings/list.json';
  const discovery = await agent.discover({ resource: served.origin + path });
  expect(discovery.warnings).toEqual([]);
  await agent.register({ service: discovery, type: 'anonymous' });
  const answer = await agent.call(path);
  expect(await answer.response.json()).toMatchObject({
    meta: { status: 204, message: 'No data returned', method_id: 1213 },
    data: [],
  });
  expect(seen).toEqual([
    `GET ${path} 401`,
    `GET /.well-known/oauth-protected-resource${path} 200`,
    'GET /.well-known/oauth-authorization-server 200',
    'POST /agent/identity 200',
    'POST /oauth2/token 200',
    `GET ${path} 200`,
  ]);
});

it('an agent that registered with the service calls any entry of the catalog', async () => {
  await agent.register({ service: served.origin, type: 'anonymous' });
  for (const path of ['/v2/buildings/MC.json', '/v2/courses/ECE/100.xml', '/v2/api/usage.json']) {
    expect((await agent.call(path)).status).toBe(200);
  }
});

it('an agent heals a dead token at the catalog as anywhere', async () => {
  await agent.register({ service: served.origin, type: 'anonymous' });
  await agent.call('/v2/buildings/list.json');
  await agent.revoke();
  expect((await agent.call('/v2/buildings/list.json')).status).toBe(200);
});
