import { describe, expect, it } from 'vitest';
import {
  Bench,
  ENDPOINT,
  failure,
  lost,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json } from './support/fake-web.ts';

const ASM = '/.well-known/oauth-authorization-server';
const OTHER = 'https://other.example';

describe('a resource with several servers', () => {
  const between = (...servers: string[]) => {
    const bench = new Bench();
    bench.web.on(
      ENDPOINT.resourceMetadata,
      json(resourceMetadata({ authorization_servers: servers })),
    );
    return bench;
  };

  it('is told by what is wrong with the first one, when none can be used', async () => {
    const { agent, web } = between(OTHER, SERVICE);
    web.on(`GET ${OTHER}${ASM}`, json({ issuer: OTHER, token_endpoint: `${OTHER}/token` }));
    web.on(ENDPOINT.serverMetadata, html(404));
    expect(await failure(agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'no_agent_auth',
    });
  });

  it('is asked no further once somebody has interrupted it', async () => {
    const { agent, web } = between(OTHER, SERVICE);
    const controller = new AbortController();
    web.on(`GET ${OTHER}${ASM}`, () => {
      controller.abort();
      return lost();
    });
    const error = await failure(agent.discover({ address: SERVICE }, controller));
    expect(error.code).toBe('aborted');
    expect(web.sent(ENDPOINT.serverMetadata)).toEqual([]);
  });
});

describe('the resource that a server names', () => {
  it('must cover the one that named the server: a neighbour on its host does not', async () => {
    const { agent, web } = new Bench();
    const resource = `${SERVICE}/a`;
    web
      .on(`GET ${SERVICE}/.well-known/oauth-protected-resource/a`, () =>
        json(resourceMetadata({ resource })),
      )
      .on(`GET ${resource}`, html())
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ resource: `${SERVICE}/b` })));
    expect(await failure(agent.discover({ address: resource }))).toMatchObject({
      code: 'resource_mismatch',
    });
  });

  it('is refused with userinfo, though it is on the own host', async () => {
    const { agent, web } = new Bench();
    web.on(
      ENDPOINT.serverMetadata,
      json(serverMetadata({ resource: 'https://evil@service.example' })),
    );
    expect(await failure(agent.discover({ issuer: SERVICE }))).toMatchObject({
      code: 'metadata_invalid',
    });
  });
});

describe('a newcomer is not sent the wrong way', () => {
  const refused = async (metadata: object, url = SERVICE) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, html(404)).on(ENDPOINT.serverMetadata, json(metadata));
    return failure(agent.discover({ address: url }));
  };

  it('by a registration that is a page', async () => {
    const { message, hint, code, next } = await refused(
      serverMetadata({
        agent_auth: {
          register_uri: `${SERVICE}/contact`,
          skill: `${SERVICE}/auth.md`,
          identity_types_supported: ['anonymous'],
        },
      }),
    );
    expect([code, message]).toEqual([
      'no_registration',
      `Agents cannot register at ${SERVICE}. Nothing to register at: agent_auth.register_uri is a page for people (/contact).`,
    ]);
    expect(hint).toBe(
      `Perhaps agents cannot register there by themselves. Its instructions for agents: ${SERVICE}/auth.md`,
    );
    expect(next).toMatchObject({ command: 'skill', args: [SERVICE] });
  });

  it('by the older name of a member, which the families of today still read', async () => {
    const { agent, web } = new Bench();
    const agentAuth = {
      register_uri: `${SERVICE}/agent/auth`,
      identity_types_supported: ['anonymous'],
    };
    web.on(ENDPOINT.serverMetadata, json({ issuer: SERVICE, agent_auth: agentAuth }));
    const { service } = await agent.discover({ address: SERVICE });
    expect(service).toMatchObject({
      identityEndpoint: `${SERVICE}/agent/auth`,
      tokenEndpoint: undefined,
      candidates: ['first'],
    });
  });

  it.each([
    ['prose', 'Read our documentation.'],
    ['a script', 'javascript:alert(1)'],
  ])('by a skill that is %s', async (_what, skill) => {
    const { hint } = await refused(serverMetadata({ agent_auth: { register_uri: null, skill } }));
    expect(hint).toBe('Perhaps agents cannot register there by themselves.');
  });

  it('by a service without a token endpoint: a registration may give what calls need', async () => {
    const bench = new Bench({ strict: true });
    const web = json(serverMetadata({ token_endpoint: undefined }));
    bench.web.on(ENDPOINT.serverMetadata, web);
    const { message } = await failure(bench.agent.discover({ address: SERVICE }));
    expect(message).toContain('token_endpoint: Grants are listed, but no token endpoint');
    const { service, warnings } = await bench
      .another({ strict: false })
      .discover({ address: SERVICE });
    expect(service.tokenEndpoint).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(['metadata_defect']);
  });

  it('by an issuer that has a path behind the host that was typed', async () => {
    const issuer = `${SERVICE}/a/acme`;
    expect(await refused(serverMetadata({ issuer }))).toMatchObject({
      code: 'issuer_mismatch',
      hint: `It calls itself ${issuer}: use that URL.`,
      next: { command: 'discover', args: [issuer] },
    });
  });

  it('by a URL below the issuer', async () => {
    expect(await refused(serverMetadata(), `${SERVICE}/docs/start`)).toMatchObject({
      code: 'issuer_mismatch',
      next: { command: 'discover', args: [SERVICE] },
    });
  });

  it('by an issuer that is somebody else', async () => {
    const { hint, next } = await refused(serverMetadata({ issuer: OTHER }));
    expect([hint, next]).toEqual([undefined, undefined]);
  });

  it('by a web site that is no service', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, html()).on(ENDPOINT.serverMetadata, html());
    expect(await failure(agent.discover({ address: SERVICE }))).toMatchObject({
      hint: 'Check the URL, and whether this service supports agent registration.',
      next: { command: 'lint', args: [SERVICE] },
    });
  });
});

describe('an issuer with a path', () => {
  it('is told whose metadata lies there instead, when nothing else does', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ issuer: OTHER })));
    expect(await failure(agent.discover({ issuer: `${SERVICE}/tenant` }))).toMatchObject({
      code: 'issuer_mismatch',
    });
  });
});

describe('a challenge', () => {
  const resource = `${SERVICE}/api/x`;
  const NAMED = `GET ${SERVICE}/elsewhere`;
  const challenged = (field: string) =>
    new Response(null, { status: 401, headers: { 'www-authenticate': field } });
  /** What the agent warns of, and where it found the metadata. */
  const discovered = async (...answers: readonly [request: string, answer: Response][]) => {
    const { agent, web } = new Bench();
    for (const [request, answer] of answers) web.on(request, answer);
    web.on(NAMED, json(resourceMetadata({ resource })));
    const { warnings } = await agent.discover({ resource });
    return { warned: warnings.map(({ code }) => code), asked: web.sent(NAMED).length };
  };

  it.each([
    ['DPoP', `DPoP resource_metadata="${SERVICE}/elsewhere", Bearer realm="api"`, []],
    ['no quotes', `Bearer resource_metadata=${SERVICE}/elsewhere`, ['challenge_unquoted']],
  ])('names metadata whatever its scheme, and is read with %s', async (_what, field, warned) => {
    const found = await discovered([`GET ${resource}`, challenged(field)]);
    expect(found).toEqual({ warned, asked: 1 });
  });

  it('is asked of an MCP server by its first request', async () => {
    const field = `Bearer resource_metadata="${SERVICE}/elsewhere"`;
    const found = await discovered(
      [`GET ${resource}`, new Response(null, { status: 405 })],
      [`POST ${resource}`, challenged(field)],
    );
    expect(found).toEqual({ warned: [], asked: 1 });
  });

  it('may lead to metadata with a byte order mark, which is told', async () => {
    const marked = `\uFEFF${JSON.stringify(resourceMetadata({ resource }))}`;
    const { agent, web } = new Bench();
    const headers = { 'content-type': 'application/json' };
    web
      .on(`GET ${resource}`, challenged(`Bearer resource_metadata="${SERVICE}/elsewhere"`))
      .on(NAMED, new Response(marked, { headers }));
    const { warnings } = await agent.discover({ resource });
    expect(warnings.map(({ code }) => code)).toEqual(['byte_order_mark']);
  });
});
