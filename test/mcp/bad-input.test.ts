import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/agent/index.ts';
import { NetworkError } from '../../src/runtime/index.ts';
import { ALICE, Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { Host } from './support/host.ts';
import { startTwin } from './support/start-twin.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('arguments that do not fit the schema of a tool', () => {
  it.each([
    ['call', {}, 'target'],
    ['call', { target: '/x', metod: 'GET' }, '"metod"'],
    ['connect', { url: BASE }, '"url"'],
    ['leave', { everything: true }, '"everything"'],
    ['await_claim', { timeout_seconds: 'long' }, 'timeout_seconds'],
    ['await_claim', { timeout_seconds: 1e9 }, '<=600'],
    ['connect', { service: BASE, email: 'alice' }, 'email'],
    ['call', { target: '/x', method: 'FETCH IT' }, 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ])('do nothing, and are named: %s %j', async (tool, given, named) => {
    const { host, twin } = await startTwin();
    const { isError, text } = await host.call(tool, given);
    expect(isError).toBe(true);
    expect(text).toContain(named);
    expect(twin.exchanges).toEqual([]);
  });
});

describe('what bad input gets: an error that says what to do next', () => {
  it.each<
    [what: string, tool: string, given: Record<string, unknown>, error: object, next: object]
  >([
    [
      'a service that is no URL',
      'discover',
      { service: 'ftp://x' },
      { code: 'bad_address', message: expect.stringContaining('argument service') },
      {},
    ],
    [
      'a service without TLS',
      'connect',
      { service: 'http://api.example.com', email: ALICE },
      { code: 'bad_address', message: expect.stringContaining('argument service') },
      {},
    ],
    [
      'a provider that is no URL',
      'sign_in',
      { provider: 'of mine' },
      { code: 'bad_address', message: expect.stringContaining('argument provider') },
      {},
    ],
    [
      'a service that is down',
      'connect',
      { service: 'https://down.example' },
      { code: 'unreachable', retryable: true },
      { user_command: 'agent-auth doctor https://down.example' },
    ],
    [
      'no service at all',
      'connect',
      {},
      { code: 'service_missing' },
      { tool: 'connect', needs: ['service'] },
    ],
    [
      'a call before anything',
      'call',
      { target: '/x' },
      { code: 'not_registered' },
      { tool: 'connect', needs: ['service'] },
    ],
    ['a claim before anything', 'start_claim', {}, { code: 'not_registered' }, { tool: 'connect' }],
    [
      'a claim at a service without a registration',
      'await_claim',
      { service: BASE },
      { code: 'not_registered' },
      { tool: 'connect', arguments: { service: BASE }, needs: [] },
    ],
    ['leaving without anything', 'leave', {}, { code: 'not_registered' }, { tool: 'get_status' }],
    [
      'an unknown registration where there is none',
      'switch_registration',
      { registration: 'reg_x' },
      { code: 'not_registered' },
      { tool: 'connect', needs: ['service'] },
    ],
    [
      'a user and a provider at once',
      'register',
      { service: BASE, email: ALICE, provider: 'https://id.example.com' },
      { code: 'wrong_arguments', message: expect.stringContaining('email and provider') },
      {},
    ],
    [
      'a type without its user',
      'register',
      { service: BASE, type: 'service_auth' },
      { code: 'answer_missing' },
      { tool: 'register', needs: ['email'] },
    ],
    [
      'a scope that the service does not offer',
      'connect',
      { service: BASE, scopes: ['rule.the.world'] },
      { code: 'scope_not_offered' },
      { tool: 'connect', arguments: { service: BASE } },
    ],
    [
      'no sign-in',
      'await_sign_in',
      {},
      { code: 'no_sign_in_open' },
      { tool: 'sign_in', needs: ['provider'] },
    ],
    [
      'a provider that is down',
      'register',
      { service: BASE, provider: 'https://id.example.com' },
      { code: 'unreachable' },
      { user_command: 'agent-auth doctor https://id.example.com' },
    ],
    [
      'a directory that is none',
      'list_directory',
      { service: `${BASE}/nowhere` },
      { code: 'not_a_directory', hint: expect.stringContaining('Give the base URL') },
      {},
    ],
  ])('%s', async (_what, tool, given, error, next) => {
    const { host } = await startTwin();
    const result = await host.call(tool, given);
    expect(result.isError).toBe(true);
    expect(result.data).toMatchObject({
      status: 'error',
      error,
      ...(Object.keys(next).length > 0 && { next }),
    });
    expect(result.text).toMatch(/^Error \(\w+\): /);
  });

  it.each<
    [what: string, tool: string, given: Record<string, unknown>, error: object, next: object]
  >([
    [
      'an unknown registration, with the tool that lists them',
      'switch_registration',
      { registration: 'nope' },
      { code: 'registration_unknown', hint: expect.stringContaining('get_status') },
      { tool: 'switch_registration', needs: ['registration'] },
    ],
    [
      'an unknown registration to leave',
      'leave',
      { registration: 'nope' },
      { code: 'registration_unknown' },
      { tool: 'leave', needs: ['registration'] },
    ],
    [
      'a call elsewhere',
      'call',
      { service: BASE, target: 'https://evil.example/x' },
      { code: 'call_elsewhere' },
      { tool: 'get_status' },
    ],
    [
      'a call to another host by slashes',
      'call',
      { target: '//evil.example/x' },
      { code: 'call_elsewhere' },
      { tool: 'get_status' },
    ],
    [
      'a header that the agent sets',
      'call',
      { target: '/api', headers: { authorization: 'x' } },
      { code: 'header_not_allowed', hint: expect.stringContaining('Leave it out') },
      {},
    ],
    [
      'a header of the connection',
      'call',
      { target: '/api', headers: { host: 'x' } },
      { code: 'header_not_allowed', hint: 'Leave it out.' },
      {},
    ],
    [
      'a body without a method that carries one',
      'call',
      { target: '/api', method: 'GET', body: { a: 1 } },
      { code: 'bad_call', hint: 'Name another method.' },
      {},
    ],
    [
      'a wait for a claim that was not opened',
      'await_claim',
      {},
      { code: 'no_claim_open' },
      { tool: 'start_claim', needs: ['email'] },
    ],
    [
      'a claim of nobody',
      'start_claim',
      {},
      { code: 'answer_missing' },
      { tool: 'start_claim', needs: ['email'] },
    ],
    ['a code without a claim', 'complete_claim', { code: '123456' }, {}, { tool: 'start_claim' }],
    [
      'a scope that only a claim gives',
      'call',
      { target: '/api/resource', method: 'POST' },
      { code: 'insufficient_scope' },
      { tool: 'start_claim' },
    ],
  ])('%s', async (_what, tool, given, error, next) => {
    const { host } = await startTwin();
    await host.call('register', { service: BASE });
    const result = await host.call(tool, given);
    expect(result.data).toMatchObject({
      status: 'error',
      error,
      ...(Object.keys(next).length > 0 && { next }),
    });
    expect(result.isError).toBe(true);
  });

  it('a code for a registration that is claimed: it says that nobody checked it', async () => {
    const { host, twin } = await startTwin();
    const made = await twin.register({ type: 'service_auth', loginHint: ALICE });
    if (made.status !== 'claim_pending') throw new Error(made.status);
    expect((await twin.approve(made.ceremony)).status).toBe('claimed');
    const { text, data } = await host.call('complete_claim', { code: '000000' });
    expect(data).toMatchObject({ status: 'claimed', code_checked: false });
    expect(text).toContain('claimed already: this code was not needed');
    expect(text).not.toContain('The user has claimed');
  });

  it('a provider in the place of the service: the argument is named, no option', async () => {
    const issuer = 'https://id.example.com';
    const metadata = {
      issuer,
      token_endpoint: `${issuer}/token`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    };
    const twin = await Twin.start({});
    const provider = await Host.start({
      ...twin.options,
      fetch: async (url) =>
        String(url).includes('/.well-known/oauth-authorization-server')
          ? Response.json(metadata)
          : new Response(null, { status: 404 }),
    });
    open.push(twin, provider);
    const { text } = await provider.call('connect', { service: issuer });
    expect(text).toContain('the provider with the argument provider.');
    expect(text).not.toContain('--');
  });

  it('a line for the user begins with the program as it is typed, without quotes', async () => {
    const { host } = await startTwin({ program: 'npx agent-auth' });
    const { text, data } = await host.call('connect', { service: 'https://down.example' });
    expect(data.next.user_command).toBe('npx agent-auth doctor https://down.example');
    expect(text).toContain('terminal: npx agent-auth doctor https://down.example');
  });

  it('a service that goes down between two calls', async () => {
    const twin = await Twin.start({});
    let isDown = false;
    const host = await Host.start({
      ...twin.options,
      fetch: async (url, init) => {
        if (isDown) throw new NetworkError('refused', 'The connection was refused.');
        return twin.options.fetch(url, init);
      },
    });
    open.push(twin, host);
    await host.call('connect', { service: BASE });
    isDown = true;
    const result = await host.call('call', { target: '/api/resource' });
    expect(result.data).toMatchObject({
      error: { code: 'unreachable', retryable: true },
      next: { user_command: `agent-auth doctor ${BASE}` },
    });
    isDown = false;
    expect((await host.call('call', { target: '/api/resource' })).data.ok).toBe(true);
  });

  it('a credential file that cannot be read', async () => {
    const twin = await Twin.start({});
    const store = createMemoryStore();
    const broken = {
      ...store,
      location: 'x',
      read: () => Promise.reject(new Error('Bad sector.')),
    };
    const host = await Host.start({ ...twin.options, store: broken });
    open.push(twin, host);
    const result = await host.call('get_status');
    expect(result.data).toMatchObject({
      error: { code: 'unexpected' },
      next: { user_command: 'agent-auth doctor' },
    });
  });

  it('several services and none named', async () => {
    const { host, twin } = await startTwin();
    await host.call('register', { service: BASE });
    await twin.options.store.update((current) => {
      const [service] = current.services;
      if (service === undefined) throw new Error('Nothing is stored.');
      const other = { ...service, resource: 'https://other.example' };
      return [{ ...current, lastService: null, services: [service, other] }, undefined];
    });
    expect((await host.call('call', { target: '/x' })).data).toMatchObject({
      error: { code: 'service_missing', services: [BASE, 'https://other.example'] },
      next: { tool: 'call', arguments: { target: '/x' }, needs: ['service'] },
    });
  });
});

describe('a server that was limited', () => {
  it('goes to its origins alone, whatever leads elsewhere', async () => {
    const { host } = await startTwin({ only: ['https://other.example'] });
    for (const [tool, given] of [
      ['connect', { service: BASE }],
      ['discover', { service: BASE }],
      ['register', { service: BASE }],
      ['list_directory', { service: BASE }],
      ['read_skill', { service: BASE }],
      ['call', { target: `${BASE}/api/resource` }],
      ['sign_in', { provider: BASE }],
    ] as const) {
      expect((await host.call(tool, given)).data).toMatchObject({
        error: { code: 'origin_not_allowed' },
      });
    }
  });

  it('uses no registration of another origin that is stored', async () => {
    const { twin } = await startTwin();
    const { registration } = await twin.register({ type: 'anonymous' }).then((made) => {
      if (made.status !== 'registered') throw new Error(made.status);
      return made;
    });
    const limited = await Host.start(twin.options, { only: ['https://other.example'] });
    open.push(limited);
    for (const [tool, given] of [
      ['call', { target: '/api/resource' }],
      ['start_claim', { email: ALICE }],
      ['switch_registration', { registration: registration.id }],
      ['leave', { registration: registration.id }],
      ['leave', {}],
    ] as const) {
      expect((await limited.call(tool, given)).data).toMatchObject({
        error: { code: 'origin_not_allowed' },
      });
    }
  });

  it('has reading tools alone, and reads alone, with readOnly', async () => {
    const { twin } = await startTwin();
    await twin.register({ type: 'anonymous' });
    const host = await Host.start(twin.options, { readOnly: true });
    open.push(host);
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_status',
      'discover',
      'read_skill',
      'list_directory',
      'call',
    ]);
    expect((await host.call('call', { target: '/api/resource' })).data.ok).toBe(true);
    expect(
      (await host.call('call', { target: '/api/resource', method: 'post' })).data,
    ).toMatchObject({
      error: { code: 'read_only' },
      next: { tool: 'call', arguments: { target: '/api/resource', method: 'GET' } },
    });
    await expect(host.call('leave')).rejects.toThrow('leave');
    // What goes on is no tool of this server: the user does it.
    expect((await host.call('call', { target: 'https://other.example/x' })).data.next.tool).toBe(
      'get_status',
    );
    await twin.agent.forget();
    const { data, text } = await host.call('call', { target: '/api/resource' });
    expect(data).toMatchObject({ error: { code: 'not_registered' } });
    expect(data.next).toBeUndefined();
    expect(text).toContain('What goes on from here is connect, which this server does not have');
  });
});

describe('what a newcomer typed', () => {
  it('connect with another name of this machine led to discover', async () => {
    const url = 'http://127.0.0.1:4800';
    const host = await Host.start({
      ...(await startTwin()).twin.options,
      fetch: async (asked) =>
        asked.endsWith('/.well-known/oauth-protected-resource')
          ? Response.json({ resource: url, authorization_servers: [url] })
          : new Response(null, { status: 404 }),
    });
    open.push(host);
    const { data } = await host.call('connect', { service: 'localhost:4800', email: ALICE });
    expect(data).toMatchObject({
      error: { code: 'resource_mismatch' },
      next: { tool: 'connect', arguments: { service: url, email: ALICE }, needs: [] },
    });
  });

  it('a user who is missing was asked for in riddles, and a registration made in silence', async () => {
    const { host } = await startTwin();
    const { data, text } = await host.call('connect', { service: BASE, scopes: ['api.write'] });
    expect(text).toContain('The email address of the user is missing.\n');
    expect(text).toMatch(/call the tool connect with .* and with email \(ask the user for it\)/);
    expect(text).toContain('This agent has registered anonymously at the service meanwhile');
    const { services } = (await host.call('get_status')).data;
    expect(data.error.registered).toBe(services[0].registrations[0].registration_id);
    const again = await host.call('connect', { service: BASE, scopes: ['api.write'] });
    expect(again.text).not.toContain('has registered');
  });
});
