import { Server, Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { Secret, systemClock } from '../../src/runtime/index.ts';
import { createTestWorld, type TestWorld, type UserAct } from '../../src/testing/testing.ts';

/** An agent of somebody else's: polls by the wire contract, with whatever it was given. */
async function pollClaim(
  { service }: Pick<TestWorld, 'service'>,
  email: string,
  ports: {
    readonly fetch: typeof globalThis.fetch;
    readonly sleep: (ms: number) => Promise<unknown>;
  },
): Promise<{ readonly polls: number; readonly last: Record<string, unknown> }> {
  const post = async (path: string, type: string, body: string) => {
    const headers = { 'content-type': type };
    const response = await ports.fetch(service.issuer + path, { method: 'POST', headers, body });
    return (await response.json()) as Record<string, unknown>;
  };
  const registered = await post(
    '/agent/identity',
    'application/json',
    JSON.stringify({ type: 'service_auth', login_hint: email }),
  );
  const form = new URLSearchParams({
    grant_type: 'urn:vendor:agent-auth:grant-type:claim',
    claim_token: String(registered['claim_token']),
  }).toString();
  for (let polls = 1; ; polls += 1) {
    await ports.sleep(5000);
    const last = await post('/oauth2/token', 'application/x-www-form-urlencoded', form);
    if (last['error'] !== 'authorization_pending' || polls > 200) return { polls, last };
  }
}

const byEmail = ({ service, user }: TestWorld) =>
  ({ service: service.issuer, type: 'service_auth', loginHint: user.email }) as const;

it('tells an agent at the end of its wait that nobody was to act', async () => {
  const world = await createTestWorld();
  const ended = async () => (await pollClaim(world, world.user.email, world)).last;
  expect(await ended()).toMatchObject({
    error: 'expired_token',
    error_description: expect.stringContaining("user.whenAsked('approve')"),
  });
  world.user.whenAsked('wait');
  expect((await ended())['error_description']).not.toContain('whenAsked');
});

describe.each(['flat', 'nested', 'first'] as const)('a test world that speaks %s', (dialect) => {
  const open = async () => {
    const world = await createTestWorld({ service: { dialect } });
    return {
      world,
      ...world,
      connect: (...acts: readonly UserAct[]) => {
        world.user.whenAsked(...acts);
        return world.agent.connect({
          service: world.service.issuer,
          email: world.user.email,
          claim: true,
          call: '/api/resource',
          user: world.user.at(world.agent),
        });
      },
    };
  };

  it('lets a user approve when the agent asks', async () => {
    const { connect, world } = await open();
    expect(await connect('approve')).toMatchObject({ status: 'connected', call: { status: 200 } });
    expect(await world.service.controls.registrations()).toMatchObject([{ state: 'claimed' }]);
  });

  it('lets a user give a wrong code, take their time, and then the right one', async () => {
    const { connect, world } = await open();
    let looked = 0;
    const look = () => {
      looked += 1;
    };
    const before = world.clock.now();
    // Where the agent asks for the code, a user without one is not asked again.
    const acts = dialect === 'flat' ? (['wait', look] as const) : [];
    expect(await connect(...acts, 'wrong_code', 'approve')).toMatchObject({ status: 'connected' });
    expect(looked).toBe(acts.length / 2);
    if (dialect === 'flat') expect(world.clock.now() - before).toBeGreaterThanOrEqual(20_000);
  });

  it('lets a user deny', async () => {
    const { connect } = await open();
    expect(await connect('deny')).toMatchObject({ status: 'denied' });
  });

  it('has a user act at once', async () => {
    const { world } = await open();
    const { agent, user } = world;
    expect(await user.claim()).toBeUndefined();
    const { ceremony } = (await agent.register(byEmail(world))) as {
      ceremony: { kind: string; verificationUri: string | null };
    };
    expect(await user.claim()).toMatchObject({ verificationUri: ceremony.verificationUri });
    if (ceremony.kind === 'type_there') {
      expect(await user.typeCode('000000')).toContain('That code is wrong');
      await user.approve();
      expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    } else {
      const code = await user.readCode();
      expect(code).toMatch(/^\d{6}$/);
      expect(await agent.submitCode({ code: new Secret(code) })).toMatchObject({
        status: 'claimed',
      });
    }
    expect(await user.mails()).toHaveLength(dialect === 'first' ? 1 : 0);
    expect(await user.claim()).toBeUndefined();
    await expect(user.approve()).rejects.toThrow('No claim waits for alice@example.com');
  });

  it('ends a claim that nobody approves by the clock, which no test waits for', async () => {
    const { connect, world } = await open();
    const before = world.clock.now();
    const outcome = await connect();
    expect(outcome.status).toBe(dialect === 'flat' ? 'attempt_expired' : 'claim_pending');
    expect(world.clock.now() - before).toBe(dialect === 'flat' ? 10 * 60_000 : 0);
  });

  it('ends access on the page of connections', async () => {
    const { connect, world } = await open();
    await connect('approve');
    const [registration] = await world.service.controls.registrations();
    await world.user.endAccess(registration?.facts.id ?? '');
    await expect(world.agent.call('/api/resource')).rejects.toMatchObject({
      kind: 'not_registered',
    });
  });
});

describe('at the provider', () => {
  const connect = ({ agent, provider, service, user }: TestWorld) =>
    agent.connect({
      service: service.issuer,
      provider: provider.issuer,
      scopes: ['api.write'],
      user: user.at(agent),
    });

  it('signs the user in, has them consent, and confirm where they have an account', async () => {
    const world = await createTestWorld({ service: { users: [{ email: 'alice@example.com' }] } });
    world.user.whenAsked('approve');
    expect(await connect(world)).toMatchObject({
      status: 'connected',
      scopes: ['api.read', 'api.write'],
    });
  });

  it('refuses for the user', async () => {
    const signIn = await createTestWorld();
    signIn.user.whenAsked('deny');
    await expect(connect(signIn)).rejects.toThrow('The sign-in at the provider ended: denied.');
    const consent = await createTestWorld();
    consent.user.whenAsked('approve', 'deny');
    await expect(connect(consent)).rejects.toThrow('The user denied the request');
  });

  it('acts at once, too', async () => {
    const { agent, provider, service, user } = await createTestWorld();
    await expect(user.signIn()).rejects.toThrow('No sign-in waits');
    await expect(user.consent()).rejects.toThrow('No consent waits');
    const login = await agent.providerLogin({ provider: provider.issuer });
    await user.signIn();
    expect(await login.wait()).toMatchObject({ status: 'signed_in' });
    const mint = () => agent.providerMint({ audience: service.issuer });
    expect((await mint()).status).toBe('consent_required');
    await user.consent();
    expect((await mint()).status).toBe('minted');
  });
});

/** What Vitest fakes unless it is told otherwise; our own configuration leaves the immediates out. */
const FAKED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const;

describe('an agent of somebody else', () => {
  it('takes fetch and sleep of the world, and its user acts between polls', async () => {
    const world = await createTestWorld();
    world.user.whenAsked('wait', 'wrong_code', 'approve');
    const { last, polls } = await pollClaim(world, world.user.email, world);
    expect(last).toHaveProperty('access_token');
    expect(polls).toBe(3);
  });

  it('works under the fake timers of Vitest, with the system’s clock below', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const world = await createTestWorld({ clock: systemClock });
    world.user.whenAsked('wait', 'approve');
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const before = Date.now();
    const running = pollClaim(world, world.user.email, { fetch: world.fetch, sleep });
    let isDone = false;
    void running.then(() => {
      isDone = true;
    });
    while (!isDone) await vi.advanceTimersByTimeAsync(1000);
    expect((await running).polls).toBe(2);
    expect(Date.now() - before).toBeGreaterThanOrEqual(10_000);
    expect(world.clock.now()).toBe(Date.now());
  });

  it('waits for nothing under fake timers with the agent of the world', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const world = await createTestWorld();
    world.user.whenAsked('wait', 'approve');
    await world.agent.register(byEmail(world));
    expect(await world.agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect(vi.getTimerCount()).toBe(0);
  });

  afterEach(() => {
    vi.useRealTimers();
  });
});

describe('the network of a world', () => {
  it('reaches nobody else, and says who there is', async () => {
    const { agent, fetch } = await createTestWorld();
    await expect(fetch('https://api.example/x')).rejects.toMatchObject({
      name: 'TypeError',
      message:
        'Nobody in the test world answers at https://api.example: there are https://service.example, https://provider.example. Add it with the option apps.',
      cause: { name: 'NetworkError', code: 'not_found' },
    });
    await expect(agent.discover({ service: 'http://127.0.0.1:4800' } as never)).rejects.toThrow();
    await expect(
      agent.register({ service: 'https://api.example', type: 'anonymous' }),
    ).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('has the applications that were added', async () => {
    const answer = (request: Request) => new Response(new URL(request.url).pathname);
    const apps = [{ issuer: 'https://api.example', fetch: answer }];
    const { fetch } = await createTestWorld({ apps });
    expect(await (await fetch('https://api.example/x?y')).text()).toBe('/x');
    expect(await (await fetch(new Request('https://api.example'))).text()).toBe('/');
    await expect(createTestWorld({ apps: [...apps, ...apps] })).rejects.toThrow(
      'There are two for https://api.example',
    );
    await expect(
      createTestWorld({ apps: [{ issuer: 'https://api.example/x', fetch: answer }] }),
    ).rejects.toThrow('https://api.example/x is no origin');
  });

  it('follows redirects as fetch does, and keeps credentials from another origin', async () => {
    const seen: string[] = [];
    const hop = (issuer: string, to: (path: string) => Response) => ({
      issuer,
      fetch: async (request: Request) => {
        const { method, headers, url } = request;
        seen.push(`${method} ${url} ${headers.get('authorization')} ${await request.text()}`);
        return to(new URL(url).pathname);
      },
    });
    const lead = (status: number, location: string) =>
      new Response(null, { status, headers: { location } });
    const apps = [
      hop('https://a.example', (path) =>
        path === '/loop'
          ? lead(302, '/loop')
          : lead(path === '/303' ? 303 : 307, 'https://b.example/'),
      ),
      hop('https://b.example', () => new Response('there')),
    ];
    const { fetch } = await createTestWorld({ apps });
    const init = { method: 'POST', body: 'x', headers: { authorization: 'Bearer y' } };
    expect(await (await fetch('https://a.example/303', init)).text()).toBe('there');
    expect(await (await fetch('https://a.example/307', init)).text()).toBe('there');
    expect(seen).toEqual([
      'POST https://a.example/303 Bearer y x',
      'GET https://b.example/ null ',
      'POST https://a.example/307 Bearer y x',
      'POST https://b.example/ null x',
    ]);
    const manual = await fetch('https://a.example/307', { ...init, redirect: 'manual' });
    expect(manual.status).toBe(307);
    for (const [path, redirect] of [
      ['/307', 'error'],
      ['/loop', 'follow'],
    ] as const) {
      await expect(fetch(`https://a.example${path}`, { redirect })).rejects.toMatchObject({
        name: 'TypeError',
        cause: { code: 'redirected' },
      });
    }
  });

  it('says where an answer came from, as fetch does, for an agent that resolves links by it', async () => {
    const lead = (location: string) => new Response(null, { status: 302, headers: { location } });
    const answer = ({ url }: Request) =>
      url.endsWith('/there') ? new Response('there') : lead('/there#part');
    const { fetch } = await createTestWorld({
      apps: [{ issuer: 'https://api.example', fetch: answer }],
    });
    const led = await fetch('https://api.example/here');
    expect([led.url, led.redirected]).toEqual(['https://api.example/there', true]);
    const straight = await fetch('https://api.example/there#part');
    expect([straight.url, straight.redirected]).toEqual(['https://api.example/there', false]);
  });

  it('ends a request that its caller aborts, whether the application heeds it or not', async () => {
    const never = new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([1])) });
    const answer = ({ url }: Request) =>
      url.endsWith('/body') ? new Response(never) : new Promise<Response>(() => {});
    const { fetch } = await createTestWorld({
      apps: [{ issuer: 'https://api.example', fetch: answer }],
    });
    const headers = new AbortController();
    const hanging = fetch('https://api.example/hang', { signal: headers.signal });
    headers.abort(new Error('no answer'));
    await expect(hanging).rejects.toThrow('no answer');
    const body = new AbortController();
    const { signal } = body;
    const request = new Request('https://api.example/body', { signal });
    const reading = (await fetch(request)).text();
    body.abort(new Error('no end'));
    await expect(reading).rejects.toThrow('no end');
  });

  it('says who answers with something else than a response', async () => {
    const answer = () => 'hello' as unknown as Response;
    const { fetch } = await createTestWorld({
      apps: [{ issuer: 'https://api.example', fetch: answer }],
    });
    await expect(fetch('https://api.example')).rejects.toThrow(
      'What answers for https://api.example resolved with hello, not a Response.',
    );
  });

  it('opens no socket and sets no timer', async () => {
    const spies = [
      vi.spyOn(Socket.prototype, 'connect'),
      vi.spyOn(Server.prototype, 'listen'),
      vi.spyOn(globalThis, 'fetch'),
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(globalThis, 'setInterval'),
    ];
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
    const world = await createTestWorld();
    const { agent, provider, service, user } = world;
    user.whenAsked('wait', 'wrong_code', 'approve');
    await agent.register(byEmail(world));
    expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    await agent.call('/api/resource');
    await (await agent.providerLogin({ provider: provider.issuer })).wait();
    const request = { audience: service.issuer, onConsentRequired: () => {} };
    expect(await agent.providerMint(request)).toMatchObject({ status: 'minted' });
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 0, 0]);
  });

  it('ends what its caller aborts, and what a fault drops', async () => {
    const world = await createTestWorld({ service: { faults: ['unavailable'] } });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(world.fetch(world.service.issuer, { signal })).rejects.toThrow('enough');
    expect((await world.fetch(`${world.service.issuer}/api/resource`)).status).toBe(503);
  });

  it('is over once the world is closed, however often that is', async () => {
    const world = await createTestWorld();
    await world.agent.register({ service: world.service.issuer, type: 'anonymous' });
    await Promise.all([world.close(), world[Symbol.asyncDispose]()]);
    await world.close();
    await expect(world.fetch(world.service.issuer)).rejects.toThrow(
      'The test world is closed: nobody answers at https://service.example.',
    );
    await expect(world.agent.revoke()).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('worlds side by side', () => {
  it('know nothing of each other, and are alike', async () => {
    const [one, other] = await Promise.all([createTestWorld(), createTestWorld()]);
    await one.agent.register({ service: one.service.issuer, type: 'anonymous' });
    one.clock.advance('1h');
    expect(other.clock.now()).toBe(Date.UTC(2026, 0, 1));
    expect(await other.service.controls.registrations()).toEqual([]);
    await other.agent.register({ service: other.service.issuer, type: 'anonymous' });
    const ids = await Promise.all(
      [one, other].map(
        async ({ service }) => (await service.controls.registrations())[0]?.facts.id,
      ),
    );
    expect(ids[0]).toBe(ids[1]);
  });

  it('have as many agents and users as a test wants, each on its own', async () => {
    const world = await createTestWorld();
    const bob = world.newUser('bob@example.com');
    const second = world.newAgent({ name: 'Cleo' });
    world.user.whenAsked('approve');
    bob.whenAsked('deny');
    await world.agent.register(byEmail(world));
    await second.register({ ...byEmail(world), loginHint: bob.email });
    const outcomes = [await world.agent.waitForClaim(), await second.waitForClaim()];
    expect(outcomes.map(({ status }) => status)).toEqual(['claimed', 'denied']);
    expect(
      (await world.service.controls.registrations()).map(({ agentName }) => agentName),
    ).toEqual(['Cleo', undefined]);
  });
});

describe('the clock of a world', () => {
  it('moves for all, by milliseconds or a duration, and never back', async () => {
    const { agent, clock, provider, service } = await createTestWorld();
    await agent.register({ service: service.issuer, type: 'anonymous' });
    const before = clock.now();
    clock.advance('11m');
    clock.advance(1000);
    const states = await Promise.all([service.controls.state(), provider.controls.state()]);
    for (const { now } of states) expect(now).toBe(before + 661_000);
    for (const by of [-1, 0.5, Number.NaN, '11', 'soon']) {
      expect(() => clock.advance(by)).toThrow(TypeError);
    }
    expect(clock.now()).toBe(before + 661_000);
  });

  it('lets a token expire', async () => {
    const { agent, clock, service } = await createTestWorld();
    await agent.register({ service: service.issuer, type: 'anonymous' });
    expect(await agent.token()).toMatchObject({ fresh: false });
    clock.advance('1h');
    expect(await agent.token()).toMatchObject({ fresh: true });
  });
});

describe('a user who is asked', () => {
  it('refuses an act that there is not: it was taken for another, or for a lost connection', async () => {
    const { user } = await createTestWorld();
    expect(() => user.whenAsked('aprove' as 'approve')).toThrow(
      'whenAsked takes approve, deny, wrong_code, wait or a function, not aprove. Did you mean approve?',
    );
  });

  it('fails the wait of the agent with what an act throws, which was lost as a broken connection', async () => {
    const world = await createTestWorld();
    const boom = new Error('an assertion of the test');
    world.user.whenAsked(() => {
      throw boom;
    });
    await world.agent.register(byEmail(world));
    await expect(world.agent.waitForClaim()).rejects.toBe(boom);
    world.user.whenAsked('approve');
    expect(await world.agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    await world.close();
  });

  it('says what they could not do, to an agent that takes fetch alone, and else at the end', async () => {
    const world = await createTestWorld();
    const { clock, service } = world;
    const bob = world.newUser('bob@example.com');
    bob.approve = () => Promise.reject(new Error('The page answered 500.'));
    bob.whenAsked('approve');
    const sleep = async (ms: number) => clock.advance(ms);
    const refused = 'When asked, bob@example.com could not approve. The page answered 500.';
    await expect(pollClaim(world, bob.email, { ...world, sleep })).rejects.toThrow(refused);
    const registered = await world.fetch(`${service.issuer}/agent/identity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'service_auth', login_hint: bob.email }),
    });
    const { claim_token } = (await registered.json()) as { readonly claim_token: string };
    const poll = new Request(`${service.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:vendor:agent-auth:grant-type:claim',
        claim_token,
      }),
    });
    await expect(service.fetch(poll)).rejects.toThrow(refused);
    await expect(world.close()).rejects.toThrow(refused);
  });

  it('acts on the claim that is polled for, where another agent has a newer one', async () => {
    const world = await createTestWorld();
    const { agent, user } = world;
    const second = world.newAgent();
    await agent.register(byEmail(world));
    await second.register(byEmail(world));
    user.whenAsked('approve', 'deny');
    expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect(await second.waitForClaim()).toMatchObject({ status: 'denied' });
  });

  it('does one thing at a time where two agents poll at once: their pages were out of date', async () => {
    const world = await createTestWorld();
    const agents = [world.agent, world.newAgent(), world.newAgent()];
    world.user.whenAsked('approve');
    for (const agent of agents) await agent.register(byEmail(world));
    const outcomes = await Promise.all(agents.map((agent) => agent.waitForClaim()));
    expect(outcomes.map(({ status }) => status)).toEqual(['claimed', 'claimed', 'claimed']);
  });

  it('is not asked by polls for the claim of another user', async () => {
    const world = await createTestWorld();
    const bob = world.newUser('bob@example.com');
    const ofBob = world.newAgent();
    await world.agent.register(byEmail(world));
    await ofBob.register({ ...byEmail(world), loginHint: bob.email });
    let asked = 0;
    world.user.whenAsked(() => {
      asked += 1;
    });
    bob.whenAsked('wait', 'approve');
    expect(await ofBob.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect(asked).toBe(0);
  });

  it('is the same user however the email is spelt', async () => {
    const world = await createTestWorld({ email: 'Alice@Example.com' });
    world.user.whenAsked('approve');
    await world.agent.register({ ...byEmail(world), loginHint: 'ALICE@example.com' });
    expect(await world.agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect(() => world.newUser('alice')).toThrow(
      'The email of a user cannot be "alice". Use one such as alice@example.com.',
    );
  });

  it('says for whom a claim is open, and what is not theirs to end or to read', async () => {
    const world = await createTestWorld();
    const { agent, service, user } = world;
    await agent.register({ ...byEmail(world), loginHint: 'bob@example.com' });
    await expect(user.approve()).rejects.toThrow(
      'No claim waits for alice@example.com at https://service.example. The open ones wait for bob@example.com.',
    );
    await expect(user.endAccess('reg_x')).rejects.toThrow(
      `alice@example.com has no registration reg_x at ${service.issuer} to end.`,
    );
    await expect(world.newUser('bob@example.com').readCode()).rejects.toThrow(
      'The code of this claim is typed on its page, and not read: use approve or typeCode.',
    );
  });
});

it('refuses an option that there is not, and says which was meant or where it goes', async () => {
  const refused = async (options: object, message: string) =>
    expect(createTestWorld(options)).rejects.toThrow(new TypeError(message));
  await refused({ servise: {} }, 'There is no option "servise". Did you mean service?');
  await refused(
    { service: { dialekt: 'flat' } },
    'There is no option "service.dialekt". Did you mean dialect?',
  );
  await refused(
    { provider: { clock: systemClock } },
    'provider.clock cannot be given: the whole world has one. Give it beside service and provider.',
  );
  await refused(
    { agent: { fetch: () => {} } },
    'agent.fetch cannot be given: it is that of the world.',
  );
  await refused(
    { email: 'alice' },
    'The email of a user cannot be "alice". Use one such as alice@example.com.',
  );
  await refused(
    { service: { users: ['alice@example.com'] } },
    'users cannot be ["alice@example.com"]. Use a list of { email }, such as [{ email: \'alice@example.com\' }].',
  );
  await refused(
    { clock: Date.now },
    'clock has now(), in milliseconds: systemClock of agent-auth/runtime does.',
  );
  await refused(
    { random: Math.random },
    'random has bytes(length): new SeededRandom(7) of agent-auth/runtime does.',
  );
  await refused(
    { apps: [{ issuer: 'https://api.example' }] },
    'What answers for https://api.example needs a fetch from Request to Response.',
  );
  await refused(
    { apps: {} },
    "apps is a list: [{ issuer: 'https://api.example', fetch: app.fetch }].",
  );
  await refused({ service: [] }, 'service is an object, such as {}, not a list.');
  await expect(createTestWorld(null as never)).rejects.toThrow(
    'Options are an object, such as {}, not null.',
  );
  const { newAgent } = await createTestWorld().then((world) => ({
    newAgent: world.newAgent.bind(world),
  }));
  expect(() => newAgent({ nam: 'Cleo' } as object)).toThrow(
    'There is no option "agent.nam". Did you mean name?',
  );
});

it('says what was wrong with a control in its message, which was a bare code', async () => {
  const { service } = await createTestWorld();
  await expect(service.controls.setFaults(['unavailble'])).rejects.toThrow(
    /^invalid_request: There is no fault "unavailble"\. Did you mean "unavailable"\?/,
  );
});

it('refuses a wrong option of a mock, and leaves nothing open', async () => {
  await expect(createTestWorld({ service: { dialect: 'latin' as 'flat' } })).rejects.toThrow();
  await expect(createTestWorld({ service: { faults: ['nothing'] } })).rejects.toThrow('nothing');
  await expect(createTestWorld({ agent: { allowOrigins: ['x'] } })).rejects.toThrow();
});

it('mints an ID-JAG for its service, right or wrong', async () => {
  const world = await createTestWorld();
  const right = await world.mintIdJag({ clientId: 'app' });
  const wrong = await world.mintIdJag({
    claims: { sub: 7 },
    header: { typ: 'JWT' },
    omit: ['jti'],
  });
  expect(decodeJwt(right)?.payload).toMatchObject({
    aud: world.service.issuer,
    client_id: 'app',
    email: 'alice@example.com',
  });
  expect(decodeJwt(wrong)).toMatchObject({ header: { typ: 'JWT' }, payload: { sub: 7 } });
  expect(decodeJwt(wrong)?.payload).not.toHaveProperty('jti');
});
