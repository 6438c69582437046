import { describe, expect, it } from 'vitest';
import {
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json } from './support/fake-web.ts';

const at = (path: string, base = SERVICE) => `GET ${base}${path}`;
const PRM = '/.well-known/oauth-protected-resource';
const ASM = '/.well-known/oauth-authorization-server';

function challenge(parameters: string): Response {
  return new Response(null, { status: 401, headers: { 'www-authenticate': parameters } });
}

describe('a URL of this machine that the service spells otherwise', () => {
  const spelled = (own: string) => {
    const bench = new Bench();
    bench.web.on(
      'GET http://localhost:4800/.well-known/oauth-protected-resource',
      json(resourceMetadata({ resource: own, authorization_servers: [own] })),
    );
    return failure(bench.agent.discover({ address: 'http://localhost:4800' }));
  };

  it('is refused with the spelling to use', async () => {
    expect(await spelled('http://127.0.0.1:4800')).toMatchObject({
      code: 'resource_mismatch',
      hint: 'It calls itself http://127.0.0.1:4800: use that URL.',
    });
  });

  it.each(['http://127.0.0.1:4900', 'https://127.0.0.1:4800', 'https://evil.example'])(
    'is refused without a hint for %s, which is another place',
    async (own) => {
      expect((await spelled(own)).hint).toBeUndefined();
    },
  );
});

describe('the way to a service', () => {
  it('takes two hops from its URL, and reports what each taught', async () => {
    const { agent } = new Bench();
    const { service, hops, warnings } = await agent.discover({ address: `${SERVICE}/` });
    expect(service).toMatchObject({
      issuer: SERVICE,
      resource: SERVICE,
      name: 'Example',
      identityEndpoint: `${SERVICE}/agent/identity`,
      identityTypes: ['anonymous', 'identity_assertion', 'service_auth'],
      claimGrantType: 'urn:acme:agent-auth:grant-type:claim',
      candidates: ['flat', 'nested'],
    });
    expect(hops.map(({ step, status }) => [step, status])).toEqual([
      ['resource_metadata', 200],
      ['server_metadata', 200],
    ]);
    expect(hops.every(({ learnt }) => learnt !== '')).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('begins with the challenge of a protected URL, among several challenges', async () => {
    const { agent, web } = new Bench();
    const path = '/api/resource';
    web
      .on(
        at(path),
        challenge(
          `Basic realm="a, b", Newauth abc==, Bearer realm="x", bearer error="invalid_token", resource_metadata=${SERVICE}${PRM}${path}`,
        ),
      )
      .on(at(PRM + path), json(resourceMetadata({ resource: SERVICE + path })));
    const { service, hops } = await agent.discover({ resource: SERVICE + path });
    expect(hops.map(({ step }) => step)).toEqual([
      'challenge',
      'resource_metadata',
      'server_metadata',
    ]);
    expect(service.resource).toBe(SERVICE);
    expect(web.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('derives the metadata URL when the challenge names none, and warns', async () => {
    const { agent, web } = new Bench();
    web
      .on(at('/api/x'), challenge('Bearer realm="api"'))
      .on(at(`${PRM}/api/x`), json(resourceMetadata({ resource: `${SERVICE}/api/x` })));
    const { warnings } = await agent.discover({ address: `${SERVICE}/api/x?page=2` });
    expect(warnings.map(({ code }) => code)).toEqual(['no_challenge']);
  });

  it('starts at an issuer', async () => {
    const { agent, web } = new Bench();
    const { service } = await agent.discover({ issuer: SERVICE });
    expect(service.resource).toBe(SERVICE);
    expect(web.requests).toHaveLength(1);
  });

  it('takes a URL without resource metadata for an issuer', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, html(404));
    expect((await agent.discover({ address: SERVICE })).service.issuer).toBe(SERVICE);
  });

  it('inserts the well-known path, and tries the plain and the appended place after a 404', async () => {
    const { agent, web } = new Bench();
    const issuer = `${SERVICE}/tenant`;
    web
      .on(at(ASM), json(serverMetadata({ issuer: 'https://other.example' })))
      .on(at(`/tenant${ASM}`), json(serverMetadata({ issuer })));
    const { service, hops, warnings } = await agent.discover({ issuer });
    expect(hops.map(({ url }) => url)).toEqual([
      `${SERVICE}${ASM}/tenant`,
      `${SERVICE}${ASM}`,
      `${SERVICE}/tenant${ASM}`,
    ]);
    expect(service.issuer).toBe(issuer);
    expect(warnings.map(({ code }) => code)).toEqual(['metadata_place']);
  });

  it('tries no other place after anything but a 404', async () => {
    const { agent, web } = new Bench();
    web.on(at(`${ASM}/tenant`), html(500));
    const error = await failure(agent.discover({ issuer: `${SERVICE}/tenant` }));
    expect(error).toMatchObject({ code: 'server_error', kind: 'network' });
    expect(web.requests).toHaveLength(1);
  });

  it('quotes what a gateway says of a document that does not come', async () => {
    const { agent, web } = new Bench();
    web.on(
      at(ASM),
      json({ error: 'connection_refused', error_description: 'No one is there.' }, 502),
    );
    const { hint, message } = await failure(agent.discover({ issuer: SERVICE }));
    expect(message).toMatch(/answered 502\. It says: "No one is there\."\.$/);
    // What it says may last, so that the hint promises nothing of time alone.
    expect(hint).toContain('may not pass by itself');
    web.on(at(ASM), json({}, 502));
    expect((await failure(agent.discover({ issuer: SERVICE }))).hint).toBe('Try again later.');
  });

  it('takes the first of several servers that has agent_auth, and names those it passes over', async () => {
    const { agent, web } = new Bench();
    const plain = 'https://plain.example';
    web
      .on(
        ENDPOINT.resourceMetadata,
        json(resourceMetadata({ authorization_servers: ['not a url', plain, SERVICE] })),
      )
      .on(at(ASM, plain), json({ issuer: plain, token_endpoint: `${plain}/token` }));
    const { service, warnings } = await agent.discover({ address: SERVICE });
    expect(service.issuer).toBe(SERVICE);
    expect(warnings.map(({ code }) => code)).toEqual(['server_skipped', 'server_skipped']);
  });

  it('says what is wrong with the first server when none can be used', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: undefined })));
    const error = await failure(agent.discover({ address: SERVICE }));
    expect(error).toMatchObject({ code: 'no_agent_auth', kind: 'failed' });
    expect(error.hops?.map(({ step }) => step)).toEqual([
      'resource_metadata',
      'server_metadata',
      'skill_file',
    ]);
    expect(error.recognition).toMatchObject({ verdict: 'plain_oauth', families: [] });
  });

  it('writes nothing', async () => {
    const { agent, store } = new Bench();
    await agent.discover({ address: SERVICE });
    expect((await store.read()).services).toEqual([]);
  });
});

describe('what stands in the place of resource metadata', () => {
  it.each<[string, () => Response]>([
    ['a page', () => html()],
    ['a page that refuses', () => html(403)],
    ['a page that wants a sign-in', () => html(401)],
    ['nothing', () => new Response(null, { status: 204 })],
    ['text that is no JSON', () => new Response('resource=https://x.example')],
    ['a list', () => json([])],
  ])('is skipped for the server’s, with a warning, when it is %s', async (_what, reply) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, reply);
    const { service, warnings, hops } = await agent.discover({ address: SERVICE });
    expect(service.resource).toBe(SERVICE);
    expect(warnings.map(({ code }) => code)).toEqual(['resource_metadata_unusable']);
    expect(hops[0]).toMatchObject({ step: 'resource_metadata', learnt: 'no metadata' });
  });

  it('is an error when strict', async () => {
    const { agent, web } = new Bench({ strict: true });
    web.on(ENDPOINT.resourceMetadata, html());
    expect(await failure(agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'metadata_invalid',
    });
  });

  it('is looked for elsewhere when the challenge names a page', async () => {
    const { agent, web } = new Bench();
    web
      .on(at('/api/x'), challenge(`Bearer resource_metadata="${SERVICE}/docs"`))
      .on(at('/docs'), html())
      .on(at(`${PRM}/api/x`), json(resourceMetadata({ resource: `${SERVICE}/api/x` })));
    const { service, warnings } = await agent.discover({ address: `${SERVICE}/api/x` });
    expect(service.resource).toBe(SERVICE);
    expect(warnings.map(({ code }) => code)).toEqual(['resource_metadata_unusable']);
  });

  it.each([429, 500, 503])('is asked for again later when it is %s', async (status) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, html(status));
    await failure(agent.discover({ address: SERVICE }));
    expect(web.requests).toHaveLength(1);
  });
});

it.each([
  ['resource', ENDPOINT.resourceMetadata],
  ['server', ENDPOINT.serverMetadata],
])('tells a 429 of the %s metadata as rate_limited, with the wait', async (_whose, url) => {
  const { agent, web } = new Bench();
  web.on(ENDPOINT.resourceMetadata, json(resourceMetadata()));
  web.on(url, json({}, 429, { 'retry-after': '90' }));
  const error = await failure(agent.discover({ address: SERVICE }));
  expect([error.code, error.kind, error.retryable]).toEqual(['rate_limited', 'refused', true]);
  expect(error.problem).toMatchObject({ status: 429, retryAfter: 90_000 });
  expect(error.message).toContain('1 minute 30 seconds');
});

describe('a final slash that was typed', () => {
  const slash = (over: object = {}) =>
    serverMetadata({ issuer: `${SERVICE}/`, resource: undefined, ...over });

  it('is the issuer’s own: nothing to complain of, not strictly either', async () => {
    const { agent, web } = new Bench({ strict: true });
    web.on(ENDPOINT.resourceMetadata, html(404)).on(ENDPOINT.serverMetadata, json(slash()));
    const { service, warnings } = await agent.discover({ address: `${SERVICE}/` });
    expect([service.issuer, warnings]).toEqual([`${SERVICE}/`, []]);
  });

  it('is the user’s alone where the issuer has none: no warning', async () => {
    const { agent, web } = new Bench({ strict: true });
    web.on(ENDPOINT.resourceMetadata, html(404));
    const { service, warnings } = await agent.discover({ address: `${SERVICE}/` });
    expect([service.issuer, warnings]).toEqual([SERVICE, []]);
  });

  it('is the resource’s own: nothing to complain of, not strictly either', async () => {
    const { agent, web } = new Bench({ strict: true });
    web
      .on(ENDPOINT.resourceMetadata, json(resourceMetadata({ resource: `${SERVICE}/` })))
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ resource: undefined })));
    const { service, warnings } = await agent.discover({ address: `${SERVICE}/` });
    expect([service.resource, warnings]).toEqual([`${SERVICE}/`, []]);
  });

  it.each([
    ['with it', `${PRM}/v1/`, '/v1/'],
    ['without it', `${PRM}/v1`, '/v1'],
  ])('leads to metadata %s', async (_what, place, path) => {
    const { agent, web } = new Bench({ strict: true });
    web
      .on(at('/v1/'), html())
      .on(at(place), json(resourceMetadata({ resource: SERVICE + path })))
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ resource: undefined })));
    const { service, warnings } = await agent.discover({ address: `${SERVICE}/v1/` });
    expect([service.resource, warnings]).toEqual([SERVICE + path, []]);
    expect(web.requests[1]?.url).toBe(`${SERVICE}${PRM}/v1/`);
  });

  it('that was not typed is reported still', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, html(404)).on(ENDPOINT.serverMetadata, json(slash()));
    const { warnings } = await agent.discover({ address: SERVICE });
    expect(warnings.map(({ code }) => code)).toEqual(['issuer_final_slash']);
  });
});

describe('whose metadata it is', () => {
  const judged = async (resource: string, asked: string, strict = false) => {
    const bench = new Bench({ strict });
    const path = new URL(asked).pathname;
    bench.web
      .on(at(path), challenge(`Bearer resource_metadata="${SERVICE}/prm"`))
      .on(at('/prm'), json(resourceMetadata({ resource })));
    return bench.agent.discover({ resource: asked });
  };

  it.each([
    ['the very URL', `${SERVICE}/api/x`],
    ['the same with a query', `${SERVICE}/api/x`, `${SERVICE}/api/x?q=1`],
  ])('takes metadata of %s, strictly too', async (_what, resource, asked = resource) => {
    expect((await judged(resource, asked, true)).warnings).toEqual([]);
  });

  it.each([
    ['a path above it', `${SERVICE}/api`, 'resource_covers'],
    ['the base', SERVICE, 'resource_covers'],
    ['the base written with its port', `${SERVICE}:443`, 'resource_covers'],
    ['a final slash more', `${SERVICE}/api/x/`, 'resource_final_slash'],
  ])('tolerates %s with a warning, and not strictly', async (_what, resource, code) => {
    const asked = `${SERVICE}/api/x`;
    expect((await judged(resource, asked)).warnings.map((one) => one.code)).toContain(code);
    expect(await failure(judged(resource, asked, true))).toMatchObject({
      code: 'resource_mismatch',
    });
  });

  it.each([
    ['another host', 'https://evil.example/api/x'],
    ['half a segment', `${SERVICE}/ap`],
    ['a path below it', `${SERVICE}/api/x/y`],
    ['another spelling of a letter', `${SERVICE}/%61pi/x`],
    ['another scheme', 'http://service.example/api/x'],
  ])('refuses metadata of %s before any further request', async (_what, resource) => {
    const bench = new Bench();
    bench.web
      .on(at('/api/x'), challenge(`Bearer resource_metadata="${SERVICE}/prm"`))
      .on(at('/prm'), json(resourceMetadata({ resource })));
    const error = await failure(bench.agent.discover({ resource: `${SERVICE}/api/x` }));
    expect(['resource_mismatch', 'metadata_invalid']).toContain(error.code);
    expect(bench.web.requests).toHaveLength(2);
  });

  it('compares strings after JSON unescaping, without normalising them', async () => {
    const { agent, web } = new Bench({ strict: true });
    const escaped = JSON.stringify(resourceMetadata()).replaceAll('/', '\\u002f');
    const headers = { 'content-type': 'application/json' };
    web.on(ENDPOINT.resourceMetadata, new Response(escaped, { headers }));
    expect((await agent.discover({ address: SERVICE })).service.resource).toBe(SERVICE);
  });

  it('takes any resource of the origin that a user named, and not of another', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata({ resource: `${SERVICE}/v1` })));
    const { warnings } = await agent.discover({ address: SERVICE });
    expect(warnings.map(({ code }) => code)).toEqual(['resource_differs']);
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata({ resource: 'https://evil.example' })));
    expect(await failure(agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'resource_mismatch',
    });
  });

  it('names a final slash of the issuer and tolerates it, unless strict', async () => {
    const slash = json(resourceMetadata({ authorization_servers: [`${SERVICE}/`] }));
    const lenient = new Bench();
    lenient.web.on(ENDPOINT.resourceMetadata, slash);
    const { warnings, service } = await lenient.agent.discover({ address: SERVICE });
    expect(warnings).toMatchObject([{ code: 'issuer_final_slash' }]);
    expect(warnings[0]?.message).toContain(`${SERVICE}/`);
    expect(service.issuer).toBe(SERVICE);
    const strict = new Bench({ strict: true });
    strict.web.on(ENDPOINT.resourceMetadata, slash);
    expect(await failure(strict.agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'issuer_mismatch',
    });
  });

  it.each(['https://other.example', 'https://SERVICE.example', `${SERVICE}:443`, `${SERVICE}/a`])(
    'refuses the issuer %s',
    async (issuer) => {
      const { agent, web } = new Bench();
      web.on(ENDPOINT.serverMetadata, json(serverMetadata({ issuer })));
      expect(await failure(agent.discover({ issuer: SERVICE }))).toMatchObject({
        code: 'issuer_mismatch',
      });
    },
  );

  it('refuses a stranger that names the server of another service', async () => {
    const { agent, web } = new Bench();
    const stranger = 'https://stranger.example';
    web.on(at(PRM, stranger), json(resourceMetadata({ resource: stranger })));
    expect(await failure(agent.discover({ address: stranger }))).toMatchObject({
      code: 'resource_mismatch',
    });
  });
});

describe('URLs that are used', () => {
  it.each([
    ['plain http', 'http://service.example', 'bad_address'],
    ['no URL', 'service', 'bad_address'],
    ['userinfo', 'https://user:pass@service.example', 'bad_address'],
    ['a fragment', 'https://service.example/#a', 'bad_address'],
    ['another scheme', 'file:///etc/passwd', 'bad_address'],
  ])('refuses %s of a user as wrong usage', async (_what, url, code) => {
    const { agent, web } = new Bench();
    expect(await failure(agent.discover({ address: url }))).toMatchObject({ code, kind: 'usage' });
    expect(web.requests).toEqual([]);
  });

  it('takes plain http on this machine', async () => {
    const { agent, web } = new Bench();
    const local = 'http://127.0.0.1:4800';
    const swap = (value: object) => JSON.parse(JSON.stringify(value).replaceAll(SERVICE, local));
    web
      .on(at(PRM, local), json(swap(resourceMetadata())))
      .on(at(ASM, local), json(swap(serverMetadata())));
    expect((await agent.discover({ address: local })).service.issuer).toBe(local);
  });

  it('does not let another machine send it to this one', async () => {
    const { agent, web } = new Bench();
    const servers = { authorization_servers: ['http://127.0.0.1:9200'] };
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata(servers)));
    expect(await failure(agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'foreign_origin',
    });
    expect(web.requests).toHaveLength(1);
  });

  it('looks at no more than five servers', async () => {
    const { agent, web } = new Bench();
    const servers = Array.from({ length: 50 }, (_, n) => `https://s${n}.example`);
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata({ authorization_servers: servers })));
    await failure(agent.discover({ address: SERVICE }));
    // Each at two places; the last one asks the resource for a skill file.
    expect(web.requests).toHaveLength(12);
    const asked = web.requests.map(({ url }) => new URL(url).hostname);
    expect(asked).toContain('s4.example');
    expect(asked).not.toContain('s5.example');
  });

  const elsewhere = 'https://elsewhere.example/x';
  it.each([
    [
      'the identity endpoint',
      serverMetadata({ agent_auth: agentAuth({ identity_endpoint: elsewhere }) }),
    ],
    [
      'the claim endpoint',
      serverMetadata({ agent_auth: agentAuth({ claim_endpoint: elsewhere }) }),
    ],
    ['the token endpoint', serverMetadata({ token_endpoint: elsewhere })],
    ['the revocation endpoint', serverMetadata({ revocation_endpoint: elsewhere })],
  ])('refuses %s on a foreign origin, unless it was allowed', async (_what, metadata) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.serverMetadata, json(metadata));
    expect(await failure(bench.agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'foreign_origin',
      kind: 'refused',
      hint: expect.stringContaining('--allow-origin https://elsewhere.example'),
    });
    const allowing = bench.another({ allowOrigins: ['https://elsewhere.example'] });
    const { warnings } = await allowing.discover({ address: SERVICE });
    expect(warnings.map(({ code }) => code)).toEqual(['foreign_endpoint_allowed']);
  });

  it('lets the skill file be anywhere, and does not fetch it', async () => {
    const { agent, web } = new Bench();
    const metadata = serverMetadata({ agent_auth: agentAuth({ skill: elsewhere }) });
    web.on(ENDPOINT.serverMetadata, json(metadata));
    expect((await agent.discover({ address: SERVICE })).service.skill).toBe(elsewhere);
    expect(web.requests.map(({ url }) => url)).not.toContain(elsewhere);
  });
});

describe('what a service offers', () => {
  const grantOf = async (metadata: object) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata(metadata)));
    return agent.discover({ address: SERVICE });
  };

  it.each([
    [
      'the one that agent_auth names',
      { agent_auth: agentAuth({ claim_grant_type: 'urn:x' }) },
      'urn:x',
    ],
    [
      'the first that ends in :grant-type:claim',
      { grant_types_supported: ['urn:a:grant-type:claim', 'urn:b:grant-type:claim'] },
      'urn:a:grant-type:claim',
    ],
    [
      'or in :grant-type:claim_token',
      { grant_types_supported: ['urn:claim', 'urn:a:grant-type:claim_token'] },
      'urn:a:grant-type:claim_token',
    ],
  ])('polls with %s', async (_what, metadata, grant) => {
    expect((await grantOf(metadata)).service.claimGrantType).toBe(grant);
  });

  it('does not miss a claim grant, which two of three families have none of, but any grant', async () => {
    const { service, recognition } = await grantOf({ grant_types_supported: [] });
    expect(service.claimGrantType).toBeUndefined();
    expect(recognition.defects.map(({ rule }) => rule)).toContain('grants-unfit');
  });

  it('knows three identity types, and names others', async () => {
    const types = { identity_types_supported: ['anonymous', 'retina\u001b[2J'] };
    const { service, warnings } = await grantOf({ agent_auth: agentAuth(types) });
    expect(service.identityTypes).toEqual(['anonymous']);
    expect(warnings[0]?.message).toContain('retina');
  });
});
