import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../src/agent/index.ts';
import {
  FakeClock,
  type Fetch,
  fakeSleep,
  SeededRandom,
  silentLog,
} from '../../src/runtime/index.ts';
import {
  ANSWER,
  failure,
  jwt,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';

/** As an application writes it: it follows redirects unless it is asked not to. */
const plainFetch = fetch as unknown as Fetch;

interface Site {
  readonly origin: string;
  readonly server: Server;
  readonly requests: string[];
  /** JSON by `METHOD /path`; `SERVICE` in it becomes the origin. A string is where a redirect leads. */
  readonly routes: Map<string, object | string>;
}

async function open(): Promise<Site> {
  const requests: string[] = [];
  const routes: Site['routes'] = new Map();
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url?.split('?')[0]}`;
    requests.push(`${route} ${request.headers.authorization ?? ''}${await text(request)}`);
    const answer = routes.get(route);
    const isRedirect = typeof answer === 'string';
    const body = JSON.stringify(
      isRedirect ? { error: 'authorization_pending' } : (answer ?? { error: 'none' }),
    );
    const isError = !isRedirect && 'error' in (answer ?? {});
    // The agent goes by its own clock then.
    response.sendDate = false;
    response
      .writeHead(isRedirect ? 307 : answer === undefined ? 404 : isError ? 400 : 200, {
        'content-type': 'application/json',
        ...(isRedirect && { location: answer }),
      })
      .end(body.replaceAll(SERVICE, origin));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, server, requests, routes };
}

let service: Site;
let provider: Site;
let foreign: Site;
beforeEach(async () => {
  [service, provider, foreign] = await Promise.all([open(), open(), open()]);
  service.routes
    .set('GET /.well-known/oauth-protected-resource', resourceMetadata())
    .set('GET /.well-known/oauth-authorization-server', serverMetadata())
    .set('POST /agent/identity', ANSWER.anonymous())
    .set('POST /agent/identity/claim', ANSWER.attempt())
    .set('POST /oauth2/token', ANSWER.token())
    .set('POST /oauth2/revoke', {})
    .set('GET /api/resource', { hello: 'agent' });
  provider.routes
    .set('GET /.well-known/oauth-authorization-server', {
      issuer: SERVICE,
      token_endpoint: `${SERVICE}/token`,
      device_authorization_endpoint: `${SERVICE}/device`,
      consent_revocation_endpoint: `${SERVICE}/revoke`,
    })
    .set('POST /device', {
      device_code: 'device-1',
      user_code: 'BCDF-GHJK',
      verification_uri: `${SERVICE}/page`,
      expires_in: 900,
    })
    .set('POST /token', {
      access_token: 'x',
      token_type: 'Bearer',
      id_token: jwt({
        iss: provider.origin,
        aud: 'agent-auth',
        sub: 'user-1',
        exp: Date.UTC(2026, 0, 1) / 1000 + 3600,
      }),
    })
    .set('POST /revoke', { audience: 'https://audience.example', revoked: true });
  // Whoever comes by a redirect is served as at the right place.
  for (const [route, answer] of service.routes) foreign.routes.set(route, answer);
});
afterEach(() => {
  for (const { server } of [service, provider, foreign]) {
    server.closeAllConnections();
    server.close();
  }
});

function makeAgent(fetch = plainFetch) {
  const clock = new FakeClock();
  const store = createMemoryStore();
  const random = new SeededRandom(5);
  const sleep = fakeSleep(clock);
  return { agent: new Agent({ fetch, clock, sleep, random, log: silentLog, store }), store };
}

const registered = async (agent: Agent) => {
  await agent.register({ service: service.origin, type: 'anonymous' });
  service.routes.set('POST /oauth2/token', { error: 'authorization_pending' });
};
const claiming = async (agent: Agent) => {
  await registered(agent);
  await agent.startClaim({ email: 'alice@example.com' });
};
const signedIn = async (agent: Agent) => {
  await (await agent.providerLogin({ provider: provider.origin })).wait();
};
const nothing = async () => {};

/** Every exchange that the agent itself makes: what comes before it, and what it is a part of. */
const EXCHANGES: readonly [
  what: string,
  route: string,
  at: () => Site,
  before: (agent: Agent) => Promise<void>,
  work: (agent: Agent) => Promise<unknown>,
][] = [
  [
    'the resource metadata',
    'GET /.well-known/oauth-protected-resource',
    () => service,
    nothing,
    (agent) => agent.discover({ address: service.origin }),
  ],
  [
    'the server metadata',
    'GET /.well-known/oauth-authorization-server',
    () => service,
    nothing,
    (agent) => agent.discover({ address: service.origin }),
  ],
  [
    'the skill file',
    'GET /auth.md',
    () => service,
    nothing,
    (agent) => agent.skill({ address: service.origin }),
  ],
  ['the registration', 'POST /agent/identity', () => service, nothing, registered],
  ['the exchange of the assertion', 'POST /oauth2/token', () => service, nothing, registered],
  [
    'the start of a claim',
    'POST /agent/identity/claim',
    () => service,
    registered,
    (agent) => agent.startClaim({ email: 'alice@example.com' }),
  ],
  [
    'a poll of a claim',
    'POST /oauth2/token',
    () => service,
    claiming,
    (agent) => agent.waitForClaim(),
  ],
  ['the revocation', 'POST /oauth2/revoke', () => service, registered, (agent) => agent.revoke()],
  [
    'the metadata of a provider',
    'GET /.well-known/oauth-authorization-server',
    () => provider,
    nothing,
    (agent) => agent.providerLogin({ provider: provider.origin }),
  ],
  [
    'the start of a sign-in',
    'POST /device',
    () => provider,
    nothing,
    (agent) => agent.providerLogin({ provider: provider.origin }),
  ],
  [
    'a poll of a sign-in',
    'POST /token',
    () => provider,
    async (agent) => {
      await agent.providerLogin({ provider: provider.origin });
    },
    async (agent) => {
      const resumed = await agent.resumeProviderLogin();
      return resumed.status === 'open' ? resumed.login.wait() : resumed;
    },
  ],
  [
    'a mint',
    'POST /token',
    () => provider,
    signedIn,
    (agent) => agent.providerMint({ audience: service.origin, resource: service.origin }),
  ],
  [
    'the revocation of a consent',
    'POST /revoke',
    () => provider,
    signedIn,
    (agent) => agent.providerRevoke({ audience: 'https://audience.example' }),
  ],
];

describe('with the plain global fetch', () => {
  it.each(EXCHANGES)(
    '%s goes nowhere else, although a 307 says so',
    async (_what, route, at, before, work) => {
      const { agent } = makeAgent();
      await before(agent);
      at().routes.set(route, foreign.origin + (route.split(' ')[1] ?? ''));
      expect(await failure(work(agent))).toMatchObject({ code: 'redirected', kind: 'failed' });
      expect(at().requests.some((request) => request.startsWith(`${route} `))).toBe(true);
      expect(foreign.requests).toEqual([]);
    },
  );

  it('a call reports a redirect, and takes its token nowhere', async () => {
    const { agent } = makeAgent();
    await registered(agent);
    service.routes.set('GET /api/resource', `${foreign.origin}/api/resource`);
    const { status, headers } = await agent.call('/api/resource');
    expect([status, headers.get('location')]).toEqual([307, `${foreign.origin}/api/resource`]);
    expect(foreign.requests).toEqual([]);
  });

  it('a call looks for no token where the challenge comes by a redirect', async () => {
    service.routes.set('GET /api/resource', `${foreign.origin}/api/resource`);
    const { agent } = makeAgent();
    await agent.discover({ address: `${service.origin}/api/resource` });
    expect(foreign.requests).toEqual([]);
  });
});

describe('an answer that came by a redirect is refused', () => {
  const follows: Fetch = (url, init) =>
    plainFetch(url, { ...init, redirect: 'follow' as 'manual' });

  it.each(EXCHANGES.filter(([what]) => what !== 'the skill file'))(
    '%s, by a fetch that follows whatever it is asked',
    async (what, route, at, before, work) => {
      const { agent, store } = makeAgent(follows);
      await before(agent);
      const stored = JSON.stringify(await store.read());
      const right = at().routes.get(route) ?? {};
      // To the same place under another name, which would do as well.
      at()
        .routes.set(route, `${at().origin}/other`)
        .set(`${route.split(' ')[0]} /other`, right);
      expect(await failure(work(agent))).toMatchObject({ code: 'redirected' });
      // Of the registration that was made before its exchange failed, the token alone is missing.
      if (!what.startsWith('the exchange')) {
        expect(JSON.stringify(await store.read())).toBe(stored);
      }
    },
  );

  it('a call', async () => {
    const { agent } = makeAgent(follows);
    await registered(agent);
    service.routes.set('GET /api/resource', `${service.origin}/other`).set('GET /other', {});
    expect(await failure(agent.call('/api/resource'))).toMatchObject({ code: 'redirected' });
  });

  it.each([
    ['an opaque redirect', { type: 'opaqueredirect', status: 0 }],
    ['an answer without a status', { status: 0 }],
  ])('%s, as a browser gives', async (_what, over) => {
    let reads = 0;
    const pull = () => {
      reads += 1;
    };
    const opaque: Fetch = async (url, init) => {
      if (!url.endsWith('/oauth2/token')) return plainFetch(url, init);
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const response = new Response(body);
      for (const [name, value] of Object.entries(over)) {
        Object.defineProperty(response, name, { value });
      }
      return response;
    };
    const { agent } = makeAgent(opaque);
    expect(await failure(registered(agent))).toMatchObject({ code: 'redirected' });
    expect(reads).toBe(0);
  });

  it('an answer by way of a redirect is no loss: nothing is sent again', async () => {
    const { agent } = makeAgent(follows);
    service.routes.set('POST /oauth2/token', `${service.origin}/other`).set('POST /other', {});
    await failure(registered(agent));
    const sent = service.requests.filter((request) => request.startsWith('POST /oauth2/token'));
    expect(sent).toHaveLength(1);
  });
});
