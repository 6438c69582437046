import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  pending,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json, members, type Reply, type SeenRequest } from './support/fake-web.ts';

const unauthorized = () =>
  new Response(null, {
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });

/** A resource that takes these tokens alone. */
function takes(...tokens: string[]): Reply {
  return ({ headers }: SeenRequest) =>
    tokens.some((token) => headers['authorization'] === `Bearer ${token}`)
      ? json({ message: 'hello' })
      : unauthorized();
}

/** The grants that were asked for, in order. */
function grants({ web }: Bench): string[] {
  return web
    .sent(ENDPOINT.token)
    .map((request) => ('assertion' in members(request) ? 'exchange' : 'poll'));
}

async function registered(): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  return bench;
}

describe('a call', () => {
  it('carries the token in its header, and method, headers and body as given', async () => {
    const bench = await registered();
    bench.web.on(`PUT ${SERVICE}/api/resource`, json({ done: true }, 201));
    const answer = await bench.agent.call('/api/resource?x=1', {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
    });
    expect(answer.status).toBe(201);
    expect(await answer.response.json()).toEqual({ done: true });
    const [request] = bench.web.sent(`PUT ${SERVICE}/api/resource`);
    expect(request).toMatchObject({
      url: `${SERVICE}/api/resource?x=1`,
      body: 'hello',
      headers: { authorization: 'Bearer at_1', 'content-type': 'text/plain' },
    });
  });

  it.each(['/api/resource', 'api/resource', `${SERVICE}/api/resource`, './api/resource#top'])(
    'goes to %s on the service',
    async (target) => {
      const bench = await registered();
      bench.web.on(ENDPOINT.resource, json({}));
      expect((await bench.agent.call(target)).url).toBe(`${SERVICE}/api/resource`);
    },
  );

  it.each([
    'https://evil.example/api',
    '//evil.example/api',
    '/\\evil.example/api',
    '\t//evil.example',
    'http://service.example/api',
    'https://service.example:8443/api',
    'https://service.example.evil.example/',
    'https://service.example@evil.example/',
  ])('never takes the token to %s', async (target) => {
    const bench = await registered();
    const before = bench.web.requests.length;
    expect(await failure(bench.agent.call(target))).toMatchObject({
      code: 'call_elsewhere',
      kind: 'refused',
    });
    expect(bench.web.requests).toHaveLength(before);
  });

  it.each(['Authorization', 'AUTHORIZATION'])('lets nobody set %s', async (name) => {
    const bench = await registered();
    const headers = { [name]: 'Bearer other' };
    expect((await failure(bench.agent.call('/', { headers }))).code).toBe('header_not_allowed');
  });

  it.each([
    ['a body with GET', { body: 'x' }, 'bad_call'],
    ['no method', { method: 'GE T' }, 'bad_call'],
    ['a header that would split', { headers: { 'x-note': 'a\r\nb: c' } }, 'header_not_allowed'],
    ['a header without a name', { headers: { '': 'a' } }, 'header_not_allowed'],
  ])('refuses %s before anything is sent', async (_what, request, code) => {
    const bench = await registered();
    const before = bench.web.requests.length;
    const error = await failure(bench.agent.call('/api/resource', request));
    expect(error).toMatchObject({ code, kind: 'usage' });
    expect(bench.web.requests).toHaveLength(before);
  });

  it.each([301, 302, 303, 307, 308])('reports a %i and does not follow it', async (status) => {
    const bench = await registered();
    const headers = { location: 'https://evil.example' };
    bench.web.on(ENDPOINT.resource, new Response(null, { status, headers }));
    const answer = await bench.agent.call('/api/resource');
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toBe('https://evil.example');
    expect(bench.web.requests.some(({ url }) => url.includes('evil'))).toBe(false);
  });

  it.each([200, 204, 400, 403, 404, 429, 500])('hands on a %i as it is', async (status) => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, new Response(status === 204 ? null : 'text', { status }));
    expect((await bench.agent.call('/api/resource')).status).toBe(status);
    expect(bench.web.sent(ENDPOINT.resource)).toHaveLength(1);
  });

  it('goes to the registered service that a URL belongs to', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, json({}));
    const { agent, store } = bench;
    await store.update((current) => [{ ...current, lastService: null }, undefined]);
    expect((await agent.call(`${SERVICE}/api/resource`)).status).toBe(200);
    expect((await store.read()).lastService).toBe(SERVICE);
  });
});

describe('a call that is answered 401', () => {
  it('exchanges once and is repeated with its body', async () => {
    const bench = await registered();
    const route = `POST ${SERVICE}/api/resource`;
    bench.web.on(route, takes('at_2'));
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    const answer = await bench.agent.call('/api/resource', { method: 'POST', body: 'note' });
    expect(answer.status).toBe(200);
    expect(bench.web.sent(route).map(({ body }) => body)).toEqual(['note', 'note']);
    expect((await bench.stored()).token?.value.reveal()).toBe('at_2');
  });

  it('polls an open claim once when the 401 survives the exchange', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, takes('at_claimed'));
    bench.web.on(ENDPOINT.token, json(ANSWER.token()), json(ANSWER.claimed()));
    expect((await bench.agent.call('/api/resource')).status).toBe(200);
    expect(grants(bench)).toEqual(['exchange', 'exchange', 'poll']);
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('polls an open claim once when the assertion is superseded', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, takes('at_claimed'));
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'), json(ANSWER.claimed()));
    expect((await bench.agent.call('/api/resource')).status).toBe(200);
    expect(bench.web.sent(ENDPOINT.resource)).toHaveLength(2);
  });

  it.each([
    // The service knows the registration, so the same line would only show it again.
    ['a fresh token each time', json(ANSWER.token()), 'token_refused', ['--new']],
    ['a refusal', refusal('invalid_grant'), 'registration_over', []],
  ])('stops after that, with %s', async (_what, exchange, code, anew) => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, unauthorized());
    bench.web.on(ENDPOINT.token, (request) =>
      'assertion' in members(request) ? exchange.clone() : pending(),
    );
    expect(await failure(bench.agent.call('/api/resource'))).toMatchObject({
      code,
      kind: 'not_registered',
      next: { command: 'register', args: [SERVICE, ...anew] },
    });
    expect(grants(bench)).toEqual(['exchange', 'exchange', 'poll']);
    expect(bench.web.sent(ENDPOINT.resource).length).toBeLessThanOrEqual(2);
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });

  it('hands over the last refusal with the error, its body unread', async () => {
    const bench = await registered();
    let refusals = 0;
    bench.web.on(ENDPOINT.resource, () => {
      refusals += 1;
      return new Response(`refusal ${refusals}`, { status: 401 });
    });
    bench.web.on(ENDPOINT.token, json(ANSWER.token()), pending());
    const { answer } = await failure(bench.agent.call('/api/resource'));
    expect(answer?.status).toBe(401);
    expect(await answer?.response.text()).toBe(`refusal ${refusals}`);
  });

  it('does not exchange twice when it had to exchange to begin with', async () => {
    const bench = await registered();
    bench.clock.advance(3_600_000);
    bench.web.on(ENDPOINT.resource, unauthorized());
    bench.web.on(ENDPOINT.token, json(ANSWER.token()), pending());
    await failure(bench.agent.call('/api/resource'));
    expect(grants(bench)).toEqual(['exchange', 'exchange', 'poll']);
  });

  it('never makes a new anonymous registration', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, unauthorized());
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'));
    await failure(bench.agent.call('/api/resource'));
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });
});

describe('a call that needs more scope', () => {
  const narrow = () =>
    new Response('no', {
      status: 403,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="api.write"' },
    });

  it('says what is needed, what there is, and how to claim', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, narrow());
    const error = await failure(bench.agent.call('/api/resource'));
    expect(error).toMatchObject({
      code: 'insufficient_scope',
      kind: 'refused',
      next: { command: 'claim', args: ['--email', 'EMAIL'] },
      problem: { scope: ['api.write'], status: 403 },
    });
    expect(error.message).toContain('api.write');
    expect(error.message).toContain('api.read');
    expect(await error.answer?.response.text()).toBe('no');
    expect(bench.web.sent(ENDPOINT.resource)).toHaveLength(1);
  });

  it('does not send a claimed registration to a claim', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.startClaim({ email: 'alice@example.com' });
    await bench.agent.waitForClaim();
    bench.web.on(ENDPOINT.resource, narrow());
    expect((await failure(bench.agent.call('/api/resource'))).next).toBeUndefined();
  });
});

describe('a call with a token of the environment', () => {
  const given = { environmentToken: new Secret('at_env'), environmentService: SERVICE };

  it('uses it for its own service, registered or not', async () => {
    const bench = new Bench(given);
    bench.web.on(ENDPOINT.resource, takes('at_env'));
    const answer = await bench.agent.call('/api/resource', { service: SERVICE });
    expect(answer.status).toBe(200);
  });

  it('goes to the API that the metadata of its service names', async () => {
    const api = 'https://api.example';
    const bench = new Bench(given);
    bench.web.on(ENDPOINT.resourceMetadata, new Response(null, { status: 404 }));
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata({ resource: api })));
    bench.web.on(
      `GET ${api}/.well-known/oauth-protected-resource`,
      json({ resource: api, authorization_servers: [SERVICE] }),
    );
    bench.web.on(`GET ${api}/orders`, takes('at_env'));
    expect((await bench.agent.call(`${api}/orders`)).status).toBe(200);
  });

  it('tries nothing else when it is refused', async () => {
    const bench = new Bench(given);
    bench.web.on(ENDPOINT.resource, unauthorized());
    expect(await failure(bench.agent.call('/api/resource', { service: SERVICE }))).toMatchObject({
      code: 'token_refused',
      kind: 'not_registered',
      answer: { status: 401 },
    });
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
  });

  it('goes to no other origin, and nowhere without a service', async () => {
    const bench = new Bench(given);
    const elsewhere = bench.agent.call('https://evil.example/', { service: SERVICE });
    expect((await failure(elsewhere)).code).toBe('call_elsewhere');
    const unowned = new Bench({ environmentToken: given.environmentToken });
    expect((await failure(unowned.agent.call('/api/resource'))).code).toBe('service_unknown');
    const named = unowned.agent.call('/api/resource', { service: SERVICE });
    expect((await failure(named)).code).toBe('call_elsewhere');
    expect(unowned.web.requests).toEqual([]);
  });
});

describe('a challenge that names metadata', () => {
  const named = `${SERVICE}/meta/later`;
  const challenge = () =>
    new Response(null, {
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${named}"` },
    });
  const document = (servers: readonly string[]) =>
    json({ resource: SERVICE, authorization_servers: servers });

  it('has it read again, and the call goes on where the server is still the same', async () => {
    const bench = await registered();
    const calls = [challenge(), json({ message: 'hello' })];
    bench.web.on(ENDPOINT.resource, () => calls.shift() ?? challenge());
    bench.web.on(`GET ${named}`, document([SERVICE]));
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    expect((await bench.agent.call('/api/resource')).status).toBe(200);
    expect(bench.web.sent(`GET ${named}`)).toHaveLength(1);
  });

  it('ends the call where the resource now takes tokens of other servers', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, challenge);
    bench.web.on(`GET ${named}`, document(['https://other.example']));
    const before = bench.web.sent(ENDPOINT.token).length;
    expect(await failure(bench.agent.call('/api/resource'))).toMatchObject({
      code: 'token_refused',
      next: { command: 'register' },
    });
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(before);
  });

  it('is skipped when what it names fails its checks', async () => {
    const bench = await registered();
    const calls = [challenge(), json({ message: 'hello' })];
    bench.web.on(ENDPOINT.resource, () => calls.shift() ?? challenge());
    bench.web.on(
      `GET ${named}`,
      json({ resource: 'https://other.example', authorization_servers: ['https://other.example'] }),
    );
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    expect((await bench.agent.call('/api/resource')).status).toBe(200);
  });
});
