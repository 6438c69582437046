import { describe, expect, it } from 'vitest';
import type { AgentError } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  jwt,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { endless, html, json, type Reply } from './support/fake-web.ts';

const HEADERS = { 'content-type': 'application/json' };
const text = (body: string, status = 200) => new Response(body, { status, headers: HEADERS });
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

/** What a broken or hostile server answers, and the code that the agent gives it. */
const NONSENSE: readonly [what: string, reply: () => Response, code: string][] = [
  ['a page', () => html(), 'bad_answer'],
  ['nothing', () => text(''), 'bad_answer'],
  ['204', () => new Response(null, { status: 204 }), 'bad_answer'],
  ['a list', () => text('[]'), 'bad_answer'],
  ['null', () => text('null'), 'bad_answer'],
  ['half an object', () => text('{"issuer":'), 'bad_answer'],
  ['bytes that are no text', () => new Response(new Uint8Array([0xff, 0xfe])), 'bad_answer'],
  ['endless nesting', () => text(deep), 'bad_answer'],
  ['a member twice', () => text('{"issuer":"a","issuer":"b"}'), 'bad_answer'],
  ['an endless body', () => endless().response, 'answer_too_large'],
  ['a redirect', () => Response.redirect('https://evil.example', 302), 'redirected'],
];

function expectClear(error: AgentError): void {
  expect(error.message).toMatch(/^[A-Z].*\.$/s);
  expect(error.message).not.toMatch(/undefined|\[object|JSON\.parse|Unexpected token/);
}

describe('metadata', () => {
  it.each(NONSENSE)('that is %s is refused in a sentence', async (_what, reply, code) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, reply);
    const error = await failure(agent.discover({ address: SERVICE }));
    expect(error.code).toBe(code);
    expectClear(error);
  });

  /** What pretends to be metadata, as against what is none. */
  const PRETENCE = ['endless nesting', 'a member twice', 'an endless body', 'a redirect'];
  it.each(NONSENSE.filter(([what]) => PRETENCE.includes(what)))(
    'of a resource that is %s is refused in a sentence',
    async (_what, reply, code) => {
      const { agent, web } = new Bench();
      web.on(ENDPOINT.resourceMetadata, reply);
      const error = await failure(agent.discover({ address: SERVICE }));
      expect(error.code).toBe(code);
      expectClear(error);
    },
  );

  it('is never followed to where a redirect points', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, Response.redirect(`${SERVICE}/elsewhere`, 301));
    await failure(agent.discover({ address: SERVICE }));
    expect(web.requests).toHaveLength(1);
  });

  it('is read no further than the limit', async () => {
    const { agent, web } = new Bench();
    const { response, pulled } = endless();
    web.on(ENDPOINT.serverMetadata, () => response);
    await failure(agent.discover({ address: SERVICE }));
    expect(pulled()).toBeLessThan(2 * 1024 * 1024);
  });

  it.each([
    ['issuer', { issuer: 7 }],
    ['token_endpoint', { token_endpoint: 'nowhere' }],
    ['agent_auth', { agent_auth: 'yes' }],
    ['grant_types_supported', { grant_types_supported: {} }],
    ['', { token_endpoint: 'javascript:alert(1)' }],
    ['', { revocation_endpoint: 'https://user:pass@service.example/revoke' }],
  ])('with a malformed %s is refused', async (member, over) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata(over)));
    const error = await failure(agent.discover({ address: SERVICE }));
    expect(error.code).toBe('metadata_invalid');
    expect(error.message).toContain(member);
    expectClear(error);
  });

  it.each([
    ['no URL to register at', { identity_endpoint: null }, 'no_registration'],
    ['another type in its place', { identity_endpoint: [SERVICE] }, 'no_registration'],
  ])('with %s has nothing to register at', async (_what, over, code) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: agentAuth(over) })));
    const error = await failure(agent.discover({ address: SERVICE }));
    expect(error.code).toBe(code);
    expect(error.message).toContain('agent_auth.identity_endpoint');
    expectClear(error);
  });

  it('with one name where a list belongs is understood, and refused when strict', async () => {
    const { agent, web, another } = bind(new Bench());
    const types = { identity_types_supported: 'anonymous' };
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: agentAuth(types) })));
    const { service, warnings } = await agent.discover({ address: SERVICE });
    expect(service.identityTypes).toEqual(['anonymous']);
    expect(warnings.map(({ code }) => code)).toEqual(['metadata_defect']);
    expect(await failure(another({ strict: true }).discover({ address: SERVICE }))).toMatchObject({
      code: 'metadata_invalid',
    });
  });

  it('may hold members that nobody knows', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ junk: { deep: [1e300, null] }, x: 1 })));
    expect((await agent.discover({ address: SERVICE })).service.issuer).toBe(SERVICE);
  });

  it('served as text is named, and refused when strict', async () => {
    const asText = () => new Response(JSON.stringify(serverMetadata()));
    const { agent, web, another } = bind(new Bench());
    web.on(ENDPOINT.serverMetadata, asText);
    expect((await agent.discover({ address: SERVICE })).warnings[0]?.code).toBe('media_type');
    expect(await failure(another({ strict: true }).discover({ address: SERVICE }))).toMatchObject({
      code: 'metadata_invalid',
    });
  });
});

function bind(bench: Bench) {
  return { agent: bench.agent, web: bench.web, another: bench.another.bind(bench) };
}

describe('answers to a registration', () => {
  const register = (reply: Reply) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, reply);
    return {
      bench,
      outcome: bench.agent.register({
        service: SERVICE,
        type: 'service_auth',
        loginHint: 'alice@example.com',
      }),
    };
  };

  it.each(NONSENSE)('that are %s write nothing', async (_what, reply, code) => {
    const { bench, outcome } = register(reply);
    const error = await failure(outcome);
    expect(error.code).toBe(code);
    expectClear(error);
    expect((await bench.store.read()).services).toEqual([]);
  });

  it.each([
    ['interval', -5],
    ['interval', '5'],
    ['interval', 2 ** 53],
    ['expires_in', -1],
    ['expires_in', 0],
    ['expires_in', '600'],
    ['expires_in', null],
  ])('with %s %s are refused by name, and write nothing', async (member, value) => {
    const claim = ANSWER.block({ [member]: value });
    const { bench, outcome } = register(json(ANSWER.serviceAuth({ claim })));
    const error = await failure(outcome);
    expect(error.code).toBe('bad_answer');
    expect(error.message).toContain(
      `claim.${member}: it must be a positive whole number of seconds`,
    );
    expect((await bench.store.read()).services).toEqual([]);
  });

  it('with an infinite interval are refused', async () => {
    const body = JSON.stringify(ANSWER.serviceAuth()).replace('"interval":5', '"interval":1e999');
    const { outcome } = register(text(body));
    expect((await failure(outcome)).message).toContain('claim.interval');
  });

  it.each([
    ['no code', { claim: ANSWER.block({ user_code: '' }) }],
    ['a code of escape sequences', { claim: ANSWER.block({ user_code: '\u001b[2K1234' }) }],
    ['a code as a number', { claim: ANSWER.block({ user_code: 123456 }) }],
    [
      'a page that is a script',
      { claim: ANSWER.block({ verification_uri: 'javascript:alert(1)' }) },
    ],
    ['a page that is a file', { claim: ANSWER.block({ verification_uri: 'file:///etc/passwd' }) }],
    ['a page that is no URL', { claim: ANSWER.block({ verification_uri: '-flag' }) }],
    ['no claim token', { claim_token: undefined }],
    ['a claim token with a line break', { claim_token: 'a\r\nx: y' }],
    ['a time that is none', { claim_token_expires: 'in a while' }],
    ['another type', { registration_type: 'anonymous' }],
  ])('with %s write nothing', async (_what, over) => {
    const { bench, outcome } = register(json(ANSWER.serviceAuth(over)));
    expect((await failure(outcome)).code).toBe('bad_answer');
    expect((await bench.store.read()).services).toEqual([]);
  });

  it.each([
    ['a foreign claim_url', { claim_url: 'https://evil.example/claim' }, 'foreign_origin'],
    [
      'a claim_url over plain http',
      { claim_url: 'http://service.example/claim' },
      'metadata_invalid',
    ],
    ['a claim_url that is none', { claim_url: 'claim' }, 'metadata_invalid'],
  ])('with %s are refused as a whole', async (_what, over, code) => {
    const { bench, outcome } = register(json(ANSWER.serviceAuth(over)));
    expect((await failure(outcome)).code).toBe(code);
    expect((await bench.store.read()).services).toEqual([]);
  });

  it('keep the interval between 1 and 60 seconds, and the window to an hour', async () => {
    const claim = ANSWER.block({ interval: 1_000_000, expires_in: 100_000 });
    const outcome = await register(json(ANSWER.serviceAuth({ claim }))).outcome;
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(outcome.ceremony).toMatchObject({ interval: 60_000, remaining: 3_600_000 });
  });

  it('may leave interval and expires_in out', async () => {
    const claim = ANSWER.block({ interval: undefined, expires_in: undefined });
    const outcome = await register(json(ANSWER.serviceAuth({ claim }))).outcome;
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(outcome.ceremony).toMatchObject({ interval: 5000, remaining: 600_000 });
  });

  it.each([
    ['on a foreign origin', 'https://evil.example/login', false],
    ['over plain http', 'http://service.example/login', false],
    ['with userinfo', 'https://service.example@evil.example/', false],
    ['with userinfo before the own host', 'https://evil@service.example/login', false],
    ['with a password before the own host', 'https://:evil@service.example/login', false],
    ['on the own origin', `${SERVICE}/login`, true],
  ])('with a page %s say whether it may be opened', async (_what, verification_uri, openable) => {
    const claim = ANSWER.block({ verification_uri });
    const outcome = await register(json(ANSWER.serviceAuth({ claim }))).outcome;
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(outcome.ceremony.openable).toBe(openable);
    expect(outcome.ceremony.verificationUri).toBe(verification_uri);
  });

  it('turn a page with letters of other scripts into plain ASCII', async () => {
    const claim = ANSWER.block({ verification_uri: 'https://sеrvice.example/\u202elogin' });
    const outcome = await register(json(ANSWER.serviceAuth({ claim }))).outcome;
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(outcome.ceremony.verificationUri).toMatch(/^https:\/\/xn--[\x21-\x7e]+$/);
    expect(outcome.ceremony.openable).toBe(false);
  });

  it('need no more than what the specification names', async () => {
    const bench = new Bench();
    bench.web.on(
      ENDPOINT.identity,
      json({ identity_assertion: 'assertion-1', claim_token: 'clm_1' }),
    );
    const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    expect(outcome.status).toBe('registered');
    expect((await bench.stored()).id).toMatch(/^unnamed_/);
  });

  it.each([
    ['by its own assertion where the ID-JAG names no user', undefined],
    ['by the ID-JAG', 'user-1'],
  ])(
    'name a registration without id %s, so that the next one takes its place',
    async (_how, sub) => {
      const bench = new Bench();
      const iss = 'https://idp.example';
      for (const jti of ['1', '2']) {
        const identity_assertion = jwt({ sub: sub === undefined ? 'reg_9' : `reg_${jti}`, jti });
        bench.web.on(ENDPOINT.identity, json({ identity_assertion }));
        const assertion = new Secret(jwt({ aud: SERVICE, iss, sub, jti }));
        await bench.agent.register({ service: SERVICE, type: 'identity_assertion', assertion });
      }
      expect((await bench.store.read()).services[0]?.registrations).toHaveLength(1);
    },
  );

  it('are shown without control characters', async () => {
    const refusal = { error: 'invalid_issuer', message: 'a\u001b]52;c;ZXZpbA==\u0007b\u202ec\nd' };
    const { outcome } = register(json(refusal, 400));
    const { problem, message } = await failure(outcome);
    expect(problem?.description).toBe('abc d');
    expect(message).not.toMatch(/[^\x20-\x7e]/);
  });
});

describe('answers of the token endpoint', () => {
  const exchanged = async (body: object) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, json(body));
    return { bench, error: await failure(bench.anonymous()) };
  };

  it.each(['N_A', 'n_a', 'mac', 'DPoP', ''])('of the type %j are not used', async (token_type) => {
    const { bench, error } = await exchanged(ANSWER.token({ token_type }));
    expect(error.code).toBe('unknown_token_type');
    expect((await bench.stored()).token).toBeNull();
  });

  it.each(['bearer', 'Bearer', 'BEARER'])('of the type %s are used', async (token_type) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ token_type })));
    await bench.anonymous();
    expect((await bench.stored()).token?.value.reveal()).toBe('at_1');
  });

  it.each([
    ['no token', { access_token: undefined }],
    ['an empty token', { access_token: '' }],
    ['a token that would split a header', { access_token: 'a\r\nx-evil: 1' }],
    ['expires_in 0', { expires_in: 0 }],
    ['expires_in as text', { expires_in: '3600' }],
    ['a list of scopes', { scope: ['api.read'] }],
  ])('with %s keep the registration and no token', async (_what, over) => {
    const { bench, error } = await exchanged(ANSWER.token(over));
    expect(error.code).toBe('bad_answer');
    expect(await bench.stored()).toMatchObject({ id: 'reg_1', token: null });
  });

  it.each(NONSENSE)('that are %s keep the registration', async (_what, reply, code) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, reply);
    expect((await failure(bench.anonymous())).code).toBe(code);
    expect((await bench.stored()).assertion?.value.reveal()).toBe('assertion-1');
  });
});
