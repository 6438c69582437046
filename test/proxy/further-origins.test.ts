import { describe, expect, it } from 'vitest';
import type { FetchHandler } from '../../src/mock/http/app.ts';
import { LOCAL, proxyTo } from './harness.ts';

const API = 'https://api.example';
const AUTH = 'https://auth.example';
const LOCAL_AUTH = 'http://127.0.0.1:4701';

const METADATA = '/.well-known/oauth-protected-resource';

/** An API whose metadata names these authorization servers. */
const api =
  (servers: readonly string[]): FetchHandler =>
  async (request) => {
    if (new URL(request.url).pathname === METADATA)
      return Response.json({
        resource: API,
        authorization_servers: servers,
        home: 'https://www.example/',
      });
    const challenge = `Bearer resource_metadata="${API}${METADATA}"`;
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
  };

describe('an authorization server on another origin', () => {
  it('is reached at a further port, as soon as the metadata names it', async () => {
    const auth: FetchHandler = async (request) =>
      Response.json({ issuer: AUTH, token_endpoint: `${AUTH}/token`, asked: request.url });
    const { fetch, proxy } = await proxyTo({ [API]: api([AUTH]), [AUTH]: auth }, { to: API });
    const challenge = (await fetch(`${LOCAL}/x`)).headers.get('www-authenticate');
    expect(challenge).toBe(`Bearer resource_metadata="${LOCAL}${METADATA}"`);
    expect(await (await fetch(LOCAL + METADATA)).json()).toEqual({
      resource: LOCAL,
      authorization_servers: [LOCAL_AUTH],
      // Nobody calls it.
      home: 'https://www.example/',
    });
    expect(await (await fetch(`${LOCAL_AUTH}/metadata`)).json()).toEqual({
      issuer: LOCAL_AUTH,
      token_endpoint: `${LOCAL_AUTH}/token`,
      asked: `${LOCAL_AUTH}/metadata`,
    });
    expect(proxy.fronts).toEqual([
      { real: API, port: 4700, to: 'service' },
      { real: AUTH, port: 4701, to: 'service' },
    ]);
  });

  it('is one of plain http in the same network where the user allowed it', async () => {
    const near = 'http://mock:4800';
    const { fetch, proxy } = await proxyTo(
      { [API]: api([near]), [near]: async () => Response.json({}) },
      { to: API, allowedOrigins: [near] },
    );
    await (await fetch(LOCAL + METADATA)).json();
    expect(proxy.fronts.map(({ real }) => real)).toEqual([API, near]);
  });

  it('is not one on this machine that a server of the internet names, nor one without TLS', async () => {
    const named = [
      'http://127.0.0.1:22',
      'https://localhost',
      'https://0.0.0.0:22',
      'https://10.0.0.5',
      'http://plain.example',
      'ftp://a.example',
    ];
    const { fetch, proxy } = await proxyTo({ [API]: api(named) }, { to: API });
    expect(await (await fetch(LOCAL + METADATA)).json()).toMatchObject({
      authorization_servers: named,
    });
    expect(proxy.fronts).toHaveLength(1);
  });

  it('is one of eight at most', async () => {
    const named = Array.from({ length: 100 }, (_, index) => `https://a${index}.example`);
    const { fetch, proxy } = await proxyTo({ [API]: api(named) }, { to: API });
    await fetch(LOCAL + METADATA);
    expect(proxy.fronts).toHaveLength(9);
  });
});

describe('the names of this machine', () => {
  it('are each answered with themselves', async () => {
    const { fetch } = await proxyTo({ [API]: api([]) }, { to: API });
    expect(await (await fetch(`http://localhost:4700${METADATA}`)).json()).toMatchObject({
      resource: 'http://localhost:4700',
    });
  });
});

it.each([
  'application/xml',
  'text/markdown; charset=utf-8',
  'text/plain',
  'application/problem+json',
])('URLs in a body of %s are rewritten, and its length with them', async (type) => {
  const text = `{"a":"${API}/b"}`;
  const server: FetchHandler = async () =>
    new Response(text, {
      headers: { 'content-type': type, 'content-length': String(text.length) },
    });
  const { fetch } = await proxyTo({ [API]: server }, { to: API });
  const answer = await fetch(`${LOCAL}/x`);
  const wanted = `{"a":"${LOCAL}/b"}`;
  expect(await answer.text()).toBe(wanted);
  expect(answer.headers.get('content-length')).toBe(String(wanted.length));
  expect(answer.headers.get('content-type')).toBe(type);
});

it('a body of any other type stays as it is', async () => {
  const server: FetchHandler = async () =>
    new Response(`"${API}/b"`, { headers: { 'content-type': 'text/css', etag: '"1"' } });
  const { fetch } = await proxyTo({ [API]: server }, { to: API });
  expect(await (await fetch(`${LOCAL}/x`)).text()).toBe(`"${API}/b"`);
});
