import { describe, expect, it } from 'vitest';
import { Agent, AgentError, createMemoryStore } from '../../src/agent/index.ts';
import { NetworkError, Secret } from '../../src/runtime/index.ts';
import { typeThere } from '../support/type-there.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  jwt,
  later,
  lost,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json, members, type Reply } from './support/fake-web.ts';

const anonymous = { service: SERVICE, type: 'anonymous' } as const;
const byEmail = { service: SERVICE, type: 'service_auth', loginHint: 'Alice@Example.com' } as const;

const claims = {
  iss: 'https://provider.example',
  aud: SERVICE,
  exp: 4_000_000_000,
  email: 'a@b.example',
};
const given = (over: object = {}, header?: object) => ({
  service: SERVICE,
  type: 'identity_assertion' as const,
  assertion: new Secret(jwt({ ...claims, ...over }, header)),
});

describe('a registration asked for by a caller without types', () => {
  it.each<[unknown, string]>([
    [
      undefined,
      "register needs the service: register({ service: 'https://…', type: 'anonymous' }).",
    ],
    [{ service: SERVICE }, 'register needs a type: anonymous, identity_assertion, service_auth.'],
    [
      { service: SERVICE, type: 'service_auth' },
      "register needs loginHint with the type service_auth: the user's email address.",
    ],
    [
      { service: SERVICE, type: 'identity_assertion' },
      'register needs provider, its URL, or assertion with the type identity_assertion.',
    ],
  ])('was told "Cannot read properties of undefined" for %j', async (request, message) => {
    const asked: Promise<unknown> = Reflect.apply(Agent.prototype.register, new Bench().agent, [
      request,
    ]);
    await expect(asked).rejects.toThrow(new TypeError(message));
  });
});

describe('an anonymous registration', () => {
  it('sends its type alone, stores the answer, and exchanges for this resource', async () => {
    const { agent, web, store } = new Bench();
    web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
    const outcome = await agent.register(anonymous);
    expect(members(web.sent(ENDPOINT.identity)[0])).toEqual({ type: 'anonymous' });
    expect(members(web.sent(ENDPOINT.token)[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'assertion-1',
      resource: SERVICE,
    });
    expect(outcome).toMatchObject({
      status: 'registered',
      token: { scopes: ['api.read'] },
      registration: {
        id: 'reg_1',
        claimed: false,
        preClaimScopes: ['api.read'],
        claim: { attempt: null, expiresAt: Date.parse(later(24 * 60)) },
      },
    });
    expect(await store.read()).toMatchObject({
      lastService: SERVICE,
      services: [{ issuer: SERVICE, resource: SERVICE, name: 'Example', current: 'reg_1' }],
    });
  });

  it.each([
    ['anonymous', anonymous],
    ['service_auth', byEmail],
    ['identity_assertion', given()],
  ])('of type %s says what the agent calls itself, if it does', async (_type, request) => {
    for (const name of ['Cleo', undefined]) {
      const { agent, web } = new Bench({ name });
      web.on(ENDPOINT.identity, refusal('invalid_request'));
      await failure(agent.register(request));
      expect(members(web.sent(ENDPOINT.identity)[0])['client_name']).toBe(name);
    }
  });

  it('is stored before the exchange, so that a failing one loses nothing', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, html(500));
    const error = await failure(bench.anonymous());
    expect(error).toMatchObject({
      code: 'server_error',
      kind: 'network',
      message: expect.stringContaining('Registered as reg_1'),
      next: { command: 'token', args: [] },
    });
    expect(await bench.stored()).toMatchObject({ id: 'reg_1', token: null });
    bench.web.on(ENDPOINT.token, json(ANSWER.token()));
    expect((await bench.agent.token()).value.reveal()).toBe('at_1');
  });

  it('stands beside earlier ones and is the one in use', async () => {
    const bench = new Bench();
    await bench.anonymous();
    await bench.anonymous({ registration_id: 'reg_9' });
    const [service] = (await bench.store.read()).services;
    expect(service?.registrations.map(({ id }) => id)).toEqual(['reg_1', 'reg_9']);
    expect(service?.current).toBe('reg_9');
  });

  it('is not begun when it could not be stored', async () => {
    const store = {
      ...createMemoryStore(),
      probeWritable: async () => {
        throw new Error('read-only');
      },
    };
    const { agent, web } = new Bench({ store });
    await expect(agent.register(anonymous)).rejects.toThrow('read-only');
    expect(web.requests).toEqual([]);
  });

  it('was made and lost without a word on a disk that filled up meanwhile', async () => {
    const store = {
      ...createMemoryStore(),
      update: async () => {
        throw new AgentError('The disk is full.', { code: 'credentials_not_writable' });
      },
    };
    const { agent, web } = new Bench({ store });
    web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
    await expect(agent.register(anonymous)).rejects.toMatchObject({
      code: 'credentials_not_writable',
      message: expect.stringMatching(/^Registered as reg_1 at https:\S+, .* The disk is full\.$/),
    });
  });
});

describe('a registration by email', () => {
  it('sends the email address lower-cased and hands out the ceremony', async () => {
    const { agent, web, store } = new Bench();
    web.on(ENDPOINT.identity, json(ANSWER.serviceAuth()));
    const outcome = await agent.register(byEmail);
    expect(members(web.sent(ENDPOINT.identity)[0])).toEqual({
      type: 'service_auth',
      login_hint: 'alice@example.com',
    });
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(outcome.reason).toBe('service_auth');
    expect(typeThere(outcome.ceremony).userCode.reveal()).toBe('012345');
    expect(String(typeThere(outcome.ceremony).userCode)).not.toContain('012345');
    expect(outcome.ceremony).toMatchObject({ openable: true, remaining: 600_000, interval: 5000 });
    const [service] = (await store.read()).services;
    expect(service?.registrations[0]).toMatchObject({
      claim: { email: 'alice@example.com', attempt: { interval: 5000 } },
      assertion: null,
    });
    expect(web.sent(ENDPOINT.token)).toEqual([]);
  });

  it.each(['', 'alice', 'a@b@c', 'älice@example.com', 'a b@example.com'])(
    'refuses %j before any request to the service’s endpoints',
    async (loginHint) => {
      const { agent, web } = new Bench();
      expect(await failure(agent.register({ ...byEmail, loginHint }))).toMatchObject({
        code: 'bad_email',
        kind: 'usage',
      });
      expect(web.sent(ENDPOINT.identity)).toEqual([]);
    },
  );
});

describe('a registration with an ID-JAG that was given', () => {
  it('sends it with its type, and is claimed from the start', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
    const request = given();
    const outcome = await agent.register(request);
    expect(members(web.sent(ENDPOINT.identity)[0])).toEqual({
      type: 'identity_assertion',
      assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
      assertion: request.assertion.reveal(),
    });
    expect(outcome).toMatchObject({
      status: 'registered',
      registration: { claimed: true, provider: 'https://provider.example', email: 'a@b.example' },
    });
  });

  it('takes an audience in a list of one, and the resource with a warning', async () => {
    const base = `${SERVICE}/v1`;
    const { agent, web } = new Bench();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ resource: base })));
    web.on(
      `GET ${SERVICE}/.well-known/oauth-protected-resource`,
      json({ resource: base, authorization_servers: [SERVICE] }),
    );
    web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
    const codes = async (aud: unknown) => {
      const outcome = await agent.register(given({ aud }));
      if (outcome.status !== 'registered') throw new Error(outcome.status);
      return outcome.warnings.map(({ code }) => code);
    };
    expect(await codes([SERVICE])).not.toContain('audience_is_resource');
    expect(await codes(base)).toContain('audience_is_resource');
  });

  it.each([
    [
      'for another service',
      given({ aud: 'https://other.example' }),
      'assertion_for_another_service',
      'usage',
    ],
    [
      'for two services',
      given({ aud: [SERVICE, 'https://other.example'] }),
      'assertion_for_another_service',
      'usage',
    ],
    [
      'for this issuer with a slash',
      given({ aud: `${SERVICE}/` }),
      'assertion_for_another_service',
      'usage',
    ],
    ['without an audience', given({ aud: undefined }), 'assertion_for_another_service', 'usage'],
    [
      'that has expired',
      given({ exp: Date.UTC(2026, 0, 1) / 1000 }),
      'assertion_expired',
      'expired',
    ],
    ['of another kind', given({}, { typ: 'agent-identity+jwt' }), 'not_an_id_jag', 'usage'],
    [
      'that is no JWT',
      { ...given(), assertion: new Secret('alice@example.com') },
      'not_an_id_jag',
      'usage',
    ],
  ])('does not send one %s', async (_what, request, code, kind) => {
    const { agent, web } = new Bench();
    expect(await failure(agent.register(request))).toMatchObject({ code, kind });
    expect(web.sent(ENDPOINT.identity)).toEqual([]);
  });

  it('judges its end by the clock of the service', async () => {
    const { agent, web, clock } = new Bench();
    const date = new Date(clock.now() + 3_600_000).toUTCString();
    web.on(ENDPOINT.serverMetadata, json(serverMetadata(), 200, { date }));
    const exp = clock.now() / 1000 + 300;
    expect((await failure(agent.register(given({ exp })))).code).toBe('assertion_expired');
  });

  it('hands out the ceremony when the user has to confirm a link', async () => {
    const { agent, web, store } = new Bench();
    const body = {
      error: 'interaction_required',
      error_description: 'confirm',
      ...ANSWER.serviceAuth({ registration_type: 'identity_assertion' }),
    };
    web.on(ENDPOINT.identity, json(body, 401));
    const outcome = await agent.register(given());
    expect(outcome).toMatchObject({
      status: 'claim_pending',
      reason: 'interaction_required',
      registration: { claimed: false, assertion: null, claim: { email: 'a@b.example' } },
    });
    expect((await store.read()).services).toHaveLength(1);
  });

  it('says that the user has to sign in again, with the age that is asked for', async () => {
    const { agent, web, store } = new Bench();
    web.on(ENDPOINT.identity, refusal('login_required', 401, { max_age: 3600 }));
    expect(await agent.register(given())).toEqual({
      status: 'login_required',
      provider: 'https://provider.example',
      askedBy: 'service',
      maxAge: 3600,
    });
    expect((await store.read()).services).toEqual([]);
  });

  it('is not sent again after a lost answer, because the service may have taken it', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, lost());
    expect((await failure(agent.register(given()))).kind).toBe('network');
    expect(web.sent(ENDPOINT.identity)).toHaveLength(1);
  });

  it('points to a fresh one when it was used before', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, refusal('replay_detected'));
    expect(await failure(agent.register(given()))).toMatchObject({
      code: 'replay_detected',
      next: { command: 'provider mint', args: ['--audience', SERVICE] },
    });
    expect(web.sent(ENDPOINT.identity)).toHaveLength(1);
  });
});

describe('a registration that meets trouble', () => {
  const attempt = async (...replies: [Reply, ...Reply[]]) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, ...replies);
    const outcome = await bench.agent.register(anonymous).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    );
    const bodies = bench.web.sent(ENDPOINT.identity).map(({ body }) => body);
    return { outcome, bodies, sleeps: bench.sleeps };
  };
  const good = json(ANSWER.anonymous());

  it('sends the same body again after a 5xx, with growing waits', async () => {
    const { outcome, bodies, sleeps } = await attempt(html(502), html(503), good);
    expect(outcome).toBe('registered');
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
    expect(sleeps[0]).toBeGreaterThanOrEqual(500);
    expect(sleeps[1]).toBeGreaterThanOrEqual(1000);
    expect(sleeps[1]).toBeLessThan(2000);
  });

  it('sends it again after a lost answer', async () => {
    expect((await attempt(lost(), good)).outcome).toBe('registered');
  });

  it('does not wait a second time for a server that let the whole time pass', async () => {
    const silent = new NetworkError('timeout', 'No answer within the time limit.');
    expect(await attempt(silent, good)).toMatchObject({
      outcome: 'unreachable',
      bodies: { length: 1 },
    });
  });

  it('gives up after three tries', async () => {
    expect(await attempt(html(500))).toMatchObject({
      outcome: 'server_error',
      bodies: { length: 3 },
    });
    expect(await attempt(lost())).toMatchObject({ outcome: 'unreachable', bodies: { length: 3 } });
  });

  it('waits as a 503 asks, in seconds or to a date', async () => {
    const busy = (value: string) =>
      new Response('', { status: 503, headers: { 'retry-after': value } });
    expect((await attempt(busy('7'), good)).sleeps).toEqual([7000]);
    expect((await attempt(busy('Thu, 01 Jan 2026 00:00:30 GMT'), good)).sleeps).toEqual([30_000]);
  });

  it('does not wait silently for longer than a minute', async () => {
    const busy = new Response('', { status: 503, headers: { 'retry-after': '3600' } });
    expect(await attempt(busy, good)).toMatchObject({ bodies: { length: 1 }, sleeps: [] });
  });

  it.each([400, 401, 403, 404, 409, 410, 422, 429])('never repeats after a %i', async (status) => {
    expect((await attempt(html(status), good)).bodies).toHaveLength(1);
  });

  it('tells how long a 429 asks to wait', async () => {
    const { agent, web } = new Bench();
    const limited = json({ error: 'rate_limited' }, 429, { 'retry-after': '120' });
    web.on(ENDPOINT.identity, limited);
    const error = await failure(agent.register(anonymous));
    expect(error).toMatchObject({ code: 'rate_limited', problem: { retryAfter: 120_000 } });
    expect(error.message).toContain('2 minutes');
  });

  it('stops when it is interrupted', async () => {
    const bench = new Bench();
    const { signal, abort } = control();
    bench.web.on(ENDPOINT.identity, html(500));
    bench.meanwhile = abort;
    expect((await failure(bench.agent.register({ ...anonymous, signal }))).code).toBe('aborted');
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });
});

function control() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('what is refused', () => {
  it.each([
    ['anonymous_not_enabled', 400, 'refused'],
    ['invalid_issuer', 400, 'refused'],
    ['invalid_signature', 418, 'refused'],
    ['missing_verified_email', 400, 'refused'],
    ['rate_limited', 429, 'refused'],
    ['temporarily_unavailable', 503, 'network'],
  ])('%s at status %i is kind %s', async (code, status, kind) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, refusal(code, status));
    expect(await failure(agent.register(anonymous))).toMatchObject({ code, kind });
  });

  it('reads an older name for an issuer that is not trusted', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, refusal('issuer_not_enabled'));
    expect((await failure(agent.register(given()))).code).toBe('invalid_issuer');
  });

  it('keeps an unknown code for the reader', async () => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.identity, refusal('moon_in_wrong_phase'));
    const error = await failure(agent.register(anonymous));
    expect(error).toMatchObject({
      code: 'unknown_problem',
      problem: { code: 'moon_in_wrong_phase' },
    });
  });

  it('quotes the words of the service for an unknown code, safe for a terminal', async () => {
    const { agent, web } = new Bench();
    const text = 'Closed \u001b[2Kon \u202eSundays.';
    web.on(ENDPOINT.identity, json({ error: 'moon_in_wrong_phase', message: text }, 400));
    const { message } = await failure(agent.register(anonymous));
    expect(message).toMatch(/It says: "Closed .*Sundays\."\.$/);
    expect(message).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  it('acts on the error of a 200', async () => {
    const { agent, web, store } = new Bench();
    web.on(ENDPOINT.identity, refusal('anonymous_not_enabled', 200, ANSWER.anonymous()));
    expect((await failure(agent.register(anonymous))).code).toBe('anonymous_not_enabled');
    expect((await store.read()).services).toEqual([]);
  });

  it('does not ask for a type that the service does not offer', async () => {
    const { agent, web } = new Bench();
    const types = agentAuth({ identity_types_supported: ['service_auth'] });
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: types })));
    const error = await failure(agent.register(anonymous));
    expect(error).toMatchObject({ code: 'type_not_supported', kind: 'refused' });
    expect(error.message).toContain('service_auth');
    expect(web.sent(ENDPOINT.identity)).toEqual([]);
  });

  it('puts no secret into any error or log', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, refusal('invalid_signature'));
    const request = given();
    const error = await failure(bench.agent.register(request));
    const all = JSON.stringify([error, error.message, error.problem, bench.log.entries]);
    expect(all).not.toContain(request.assertion.reveal());
  });
});
