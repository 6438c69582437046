import { describe, expect, it } from 'vitest';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json } from './support/fake-web.ts';

const ASM = '/.well-known/oauth-authorization-server';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const markdown = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/markdown' } });

/** A service of one document: its server's metadata. */
function publishing(
  metadata: object,
  settings: ConstructorParameters<typeof Bench>[0] = {},
): Bench {
  const bench = new Bench(settings);
  bench.web.on(ENDPOINT.resourceMetadata, html(404)).on(ENDPOINT.serverMetadata, json(metadata));
  return bench;
}

const refused = (metadata: object) =>
  failure(publishing(metadata).agent.discover({ address: SERVICE }));

describe('a block in the metadata of the resource', () => {
  const described = (own: object = {}) => {
    const bench = new Bench();
    bench.web
      .on(ENDPOINT.resourceMetadata, json(resourceMetadata({ agent_auth: agentAuth(), ...own })))
      .on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: undefined })));
    return bench;
  };

  it('is found, beside the grants of the server', async () => {
    const { service, recognition } = await described().agent.discover({ address: SERVICE });
    expect(service).toMatchObject({
      identityEndpoint: `${SERVICE}/agent/identity`,
      tokenEndpoint: `${SERVICE}/oauth2/token`,
      candidates: ['flat', 'nested'],
    });
    expect(recognition.foundIn).toBe('resource');
  });

  it('is found again for what was registered', async () => {
    const bench = described();
    bench.web
      .on(ENDPOINT.identity, () => json(ANSWER.anonymous()))
      .on(ENDPOINT.token, () => json(ANSWER.token()));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    const later = bench.another({});
    await later.token({ renew: true });
    expect(bench.web.sent(ENDPOINT.token)).not.toEqual([]);
  });

  it('is enough without a server’s, where both are of one origin', async () => {
    const alone = described();
    alone.web.on(ENDPOINT.serverMetadata, html(404));
    expect((await alone.agent.discover({ address: SERVICE })).service).toMatchObject({
      issuer: SERVICE,
      tokenEndpoint: undefined,
    });
    const other = 'https://other.example';
    const elsewhere = described({ authorization_servers: [other] });
    elsewhere.web.on(`GET ${other}${ASM}`, html(404));
    expect(await failure(elsewhere.agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'metadata_not_found',
    });
  });

  it('is enough where it names no server at all', async () => {
    const open = described({ authorization_servers: [] });
    open.web.on(ENDPOINT.serverMetadata, html(404));
    const { service, warnings } = await open.agent.discover({ address: SERVICE });
    expect(service).toMatchObject({
      issuer: SERVICE,
      identityEndpoint: `${SERVICE}/agent/identity`,
    });
    expect(warnings.map(({ code }) => code)).toEqual(['resource_metadata_unusable']);
    const strict = open.another({ strict: true });
    expect(await failure(strict.discover({ address: SERVICE }))).toMatchObject({
      code: 'metadata_invalid',
    });
  });

  it('may not lead to another origin either', async () => {
    const evil = described({
      agent_auth: agentAuth({ identity_endpoint: 'https://evil.example/a' }),
    });
    expect(await failure(evil.agent.discover({ address: SERVICE }))).toMatchObject({
      code: 'foreign_origin',
    });
  });
});

describe('an application of one page', () => {
  it('does not hide the metadata of an issuer with a path', async () => {
    const { agent, web } = new Bench();
    const issuer = `${SERVICE}/a/acme`;
    web
      .on(`GET ${SERVICE}${ASM}/a/acme`, html())
      .on(ENDPOINT.serverMetadata, html())
      .on(`GET ${issuer}${ASM}`, json(serverMetadata({ issuer })));
    const { service, hops } = await agent.discover({ issuer });
    expect(service.issuer).toBe(issuer);
    expect(hops.map(({ learnt }) => learnt)).toEqual([
      'no metadata',
      'no metadata',
      'agents can register here',
    ]);
  });

  it('is no skill file', async () => {
    const { agent, web } = new Bench();
    web
      .on(ENDPOINT.resourceMetadata, html())
      .on(ENDPOINT.serverMetadata, html())
      .on(`GET ${SERVICE}/auth.md`, html());
    const error = await failure(agent.discover({ address: SERVICE }));
    expect([error.code, error.recognition]).toEqual(['bad_answer', undefined]);
  });
});

describe('a skill file alone', () => {
  const only = () => {
    const bench = new Bench();
    bench.web
      .on(ENDPOINT.resourceMetadata, html(404))
      .on(ENDPOINT.serverMetadata, html(404))
      .on(`GET ${SERVICE}/auth.md`, () =>
        markdown(
          `# auth.md\nPOST ${SERVICE}/agent/identity, or see https://evil.example/agent/auth.`,
        ),
      );
    return bench;
  };

  it('is found, and its URLs are hints that nothing is sent to', async () => {
    const { agent, web } = only();
    const error = await failure(agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error).toMatchObject({
      code: 'no_registration',
      next: { command: 'skill', args: [SERVICE] },
      recognition: {
        verdict: 'published_only',
        hints: [
          { kind: 'register', url: `${SERVICE}/agent/identity` },
          { kind: 'register', url: 'https://evil.example/agent/auth' },
        ],
      },
    });
    expect(web.requests.map(({ method }) => method)).not.toContain('POST');
    expect(web.requests.map(({ url }) => url).join()).not.toContain('evil');
  });

  it('is shown', async () => {
    const file = await only().agent.skill({ address: SERVICE });
    expect(file).toMatchObject({ service: undefined, source: { issuer: SERVICE } });
    expect(file.text).toMatch(/^# auth\.md/);
  });

  it('is shown where the metadata has a registration with nothing behind it', async () => {
    const skill = 'https://docs.example/auth.md';
    const bench = publishing(
      serverMetadata({ agent_auth: { register_uri: 'mailto:a@b.example', skill } }),
    );
    bench.web.on(`GET ${skill}`, markdown('write to us'));
    expect((await bench.agent.skill({ address: SERVICE })).text).toBe('write to us');
  });
});

describe('each verdict', () => {
  it('of two URLs is a question, which the user answers', async () => {
    const both = serverMetadata({
      agent_auth: agentAuth({ register_uri: `${SERVICE}/agent/auth` }),
    });
    const error = await refused(both);
    expect(error).toMatchObject({
      code: 'dialect_missing',
      kind: 'usage',
      next: { command: 'discover', args: [SERVICE, '--dialect', 'flat'] },
      hint: `Say which with --dialect: flat for ${SERVICE}/agent/identity, first for ${SERVICE}/agent/auth.`,
    });
    const { service } = await publishing(both, { dialect: 'first' }).agent.discover({
      address: SERVICE,
    });
    expect(service.identityEndpoint).toBe(`${SERVICE}/agent/auth`);
    expect(service.candidates[0]).toBe('first');
  });

  it('of OAuth client registration says so', async () => {
    expect(
      await refused(serverMetadata({ agent_auth: { register_uri: `${SERVICE}/oauth/register` } })),
    ).toMatchObject({
      code: 'client_registration',
      next: { command: 'lint', args: [SERVICE] },
      message: expect.stringContaining('RFC 7591'),
    });
  });

  it('of plain OAuth names what it offers, and of a provider where to sign in', async () => {
    const provider = {
      issuer: SERVICE,
      token_endpoint: `${SERVICE}/token`,
      device_authorization_endpoint: `${SERVICE}/device`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    };
    expect(await refused(provider)).toMatchObject({
      code: 'no_agent_auth',
      message: expect.stringContaining('it offers the device code, token exchange'),
      hint: expect.stringContaining('--provider'),
      next: { command: 'provider login', args: [SERVICE] },
    });
  });

  it('of a page names the page', async () => {
    const page = serverMetadata({
      agent_auth: agentAuth({ identity_endpoint: `${SERVICE}/contact` }),
    });
    expect(await refused(page)).toMatchObject({
      code: 'no_registration',
      message: expect.stringContaining('a page for people (/contact)'),
      next: { command: 'skill' },
    });
  });

  it('of http is kept from the wire', async () => {
    const insecure = serverMetadata({
      agent_auth: agentAuth({ identity_endpoint: 'http://service.example/agent/identity' }),
    });
    expect(await refused(insecure)).toMatchObject({
      code: 'no_registration',
      message: expect.stringContaining('is of plain http, over which no agent may send a secret'),
    });
  });
});

it('knows a server that publishes what OpenID Connect asks for alone', async () => {
  const { agent, web } = new Bench();
  web.on(ENDPOINT.resourceMetadata, html(404)).on(ENDPOINT.serverMetadata, html(404));
  web.on(
    `GET ${SERVICE}/.well-known/openid-configuration`,
    json({
      issuer: SERVICE,
      authorization_endpoint: `${SERVICE}/authorize`,
      token_endpoint: `${SERVICE}/token`,
      response_types_supported: ['code'],
    }),
  );
  const error = await failure(agent.discover({ address: SERVICE }));
  expect(error.code).toBe('no_agent_auth');
  expect(error.recognition?.verdict).toBe('plain_oauth');
  expect(error.recognition?.offers).toEqual(['authorization_code']);
  expect(web.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('names the host of metadata that is of another issuer', async () => {
  const error = await refused(serverMetadata({ issuer: 'https://real.example' }));
  expect(error.code).toBe('issuer_mismatch');
  expect(error.recognition?.defects.map(({ rule }) => rule)).toContain('issuer-host-differs');
});

it('sends nothing of a registration to the token endpoint of ordinary sign-in', async () => {
  const { agent } = publishing({
    issuer: SERVICE,
    authorization_endpoint: `${SERVICE}/authorize`,
    token_endpoint: 'https://id.example/token',
    grant_types_supported: ['authorization_code', 'refresh_token'],
    agent_auth: {
      register_uri: `${SERVICE}/v1/agents`,
      identity_types_supported: ['anonymous'],
      anonymous: { credential_types_supported: ['api_key'] },
    },
  });
  const { service } = await agent.discover({ address: SERVICE });
  expect(service).toMatchObject({ tokenEndpoint: undefined, candidates: ['first'] });
});

it('takes a service without a claim grant for one whose codes are read back', async () => {
  const { agent } = publishing(serverMetadata({ grant_types_supported: [JWT_BEARER] }));
  const { service } = await agent.discover({ address: SERVICE });
  expect(service.candidates).toEqual(['nested', 'flat']);
});
