import { afterEach, describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent/index.ts';
import { toolsOf } from '../../src/mcp/index.ts';
import { TOOL_NAMES } from '../../src/mcp/tool-names.ts';
import { Secret } from '../../src/runtime/index.ts';
import { Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { Host } from './support/host.ts';
import { startTwin } from './support/start-twin.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe.each(['legacy', 'modern'] as const)('the tools that a %s host lists', (era) => {
  it('say what they are for, what they ask for, and what they may do', async () => {
    const { host } = await startTwin({ era });
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOL_NAMES]);
    expect(new Set(tools.map(({ title }) => title)).size).toBe(tools.length);
    for (const { name, description = '', inputSchema, annotations } of tools) {
      expect(description.length, name).toBeGreaterThan(60);
      expect(inputSchema.type, name).toBe('object');
      expect(inputSchema['additionalProperties'], name).toBe(false);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        const about = (schema as { description?: string }).description ?? '';
        expect(about.length, `${name} ${argument}`).toBeGreaterThan(15);
      }
      expect(typeof annotations?.readOnlyHint, name).toBe('boolean');
      expect(typeof annotations?.openWorldHint, name).toBe('boolean');
      if (annotations?.readOnlyHint === false) {
        expect(typeof annotations.destructiveHint, name).toBe('boolean');
        expect(typeof annotations.idempotentHint, name).toBe('boolean');
      }
    }
    // With check, get_status asks the services.
    const stayHere = tools.filter(({ annotations }) => annotations?.openWorldHint === false);
    expect(stayHere.map(({ name }) => name)).toEqual(['switch_registration']);
    const doHarm = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(doHarm.map(({ name }) => name)).toEqual(['call', 'leave']);
  });
});

it('take a small part of what a model reads with every request', async () => {
  const { host } = await startTwin();
  const { tools } = await host.client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThan(17_000);
});

describe('the tools of a server that reads alone', () => {
  it('are those that change nothing, and calls, and say so', async () => {
    for (const { name, annotations } of toolsOf({ readOnly: true })) {
      expect(annotations.readOnlyHint === true || name === 'call').toBe(true);
    }
    const { host } = await startTwin({ readOnly: true });
    const { tools } = await host.client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });
});

describe('a call of a service', () => {
  it('sends JSON, forms and headers as they are asked for', async () => {
    const sent: { headers: Headers; body: unknown; method: string | undefined }[] = [];
    const twin = await Twin.start({});
    const host = await Host.start({
      ...twin.options,
      fetch: async (url, init = {}) => {
        if (!url.includes('/api/echo')) return twin.options.fetch(url, init);
        sent.push({ headers: new Headers(init.headers), body: init.body, method: init.method });
        return Response.json({});
      },
    });
    open.push(twin, host);
    await host.call('connect', { service: BASE });
    await host.call('call', { target: '/api/echo', body: { a: [1, 'é'] } });
    await host.call('call', { target: '/api/echo', body: [1, 2], method: 'put' });
    await host.call('call', { target: '/api/echo', body: 'a=1' });
    await host.call('call', {
      target: `${BASE}/api/echo`,
      body: '<a/>',
      headers: { 'Content-Type': 'application/xml', accept: 'text/csv' },
    });
    expect(sent.map(({ body, method }) => [method, body])).toEqual([
      ['POST', '{"a":[1,"é"]}'],
      ['PUT', '[1,2]'],
      ['POST', 'a=1'],
      ['POST', '<a/>'],
    ]);
    expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/json',
      'application/json',
      'application/x-www-form-urlencoded',
      'application/xml',
    ]);
    expect(sent[3]?.headers.get('accept')).toBe('text/csv');
    for (const { headers } of sent) expect(headers.get('authorization')).toMatch(/^Bearer /);
  });

  it('uses a token of the environment where there is one, and shows it no more than its own', async () => {
    const twin = await Twin.start({});
    await twin.register({ type: 'anonymous' });
    const token = (await twin.agent.token()).value.reveal();
    const host = await Host.start(
      { ...twin.options, environmentToken: new Secret(token) },
      { service: BASE },
    );
    open.push(twin, host);
    const answer = await host.call('call', { target: '/api/resource' });
    expect(answer.data.ok).toBe(true);
    expect(answer.whole).not.toContain(token);
    expect((await host.call('get_status')).data.environment_token).toBe(true);
  });

  it('proposed a second registration where a token of the environment was refused', async () => {
    const twin = await Twin.start({});
    const given = { ...twin.options, environmentToken: new Secret('at_old') };
    const host = await Host.start(given, { service: BASE });
    open.push(twin, host);
    const { data } = await host.call('call', { target: '/api/resource' });
    expect(data.error.code).toBe('token_refused');
    expect(data.next ?? null).toBeNull();
  });

  it.each([
    { service: undefined, readOnly: true },
    { service: 'https://own.example', readOnly: false },
    { service: 'https://own.example', readOnly: true },
    { service: BASE, readOnly: false, environmentService: 'https://own.example' },
    { service: BASE, readOnly: true, environmentService: 'https://own.example' },
  ])('sent a token of the environment to whichever service a model named: %j', async (given) => {
    const twin = await Twin.start({});
    const sent: string[] = [];
    const options: AgentOptions = {
      ...twin.options,
      environmentToken: new Secret('at_of-another'),
      environmentService: given.environmentService,
      fetch: (url, init) => {
        if (JSON.stringify(init ?? {}).includes('at_of-another')) sent.push(url);
        // The service that the token is for is asked for its metadata, and has none.
        return url.startsWith('https://own.example')
          ? Promise.resolve(new Response(null, { status: 404 }))
          : twin.options.fetch(url, init);
      },
    };
    const { service, readOnly } = given;
    const host = await Host.start(options, { service, readOnly });
    open.push(twin, host);
    const named = { service: BASE };
    const call = await host.call('call', { ...named, target: '/api/resource' });
    expect(call.isError).toBe(true);
    if (!given.readOnly) {
      const left = await host.call('leave', { ...named, keep_registration: true });
      expect(left.isError).toBe(true);
      expect((await host.call('connect', named)).data.status).toBe('connected');
      const own = await host.call('call', { ...named, target: '/api/resource' });
      expect(own.data.ok).toBe(true);
    }
    expect(sent).toEqual([]);
  });
});
