import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startTestWorld } from '../../src/testing/testing.ts';

const run = promisify(execFile);

/** An agent in another process, which moves the clock of the service instead of waiting. */
const AGENT = `
const [service, email, token] = process.argv.slice(1);
const post = async (path, type, body, more = {}) => {
  const headers = { 'content-type': type, ...more };
  return (await fetch(service + path, { method: 'POST', headers, body })).json();
};
const json = 'application/json';
const registered = await post('/agent/identity', json, JSON.stringify({ type: 'service_auth', login_hint: email }));
const grant_type = 'urn:vendor:agent-auth:grant-type:claim';
const form = new URLSearchParams({ grant_type, claim_token: registered.claim_token }).toString();
const answers = [];
for (let poll = 0; poll < 3; poll += 1) {
  await post('/__mock/clock', json, JSON.stringify({ advance: 5 }), { authorization: 'Bearer ' + token });
  const answer = await post('/oauth2/token', 'application/x-www-form-urlencoded', form);
  answers.push(answer.error ?? answer.token_type);
}
process.stdout.write(JSON.stringify(answers));
`;

/** What has been closed is gone a turn later. */
async function openServers(): Promise<number> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}

describe('a test world over HTTP', () => {
  it.each(['flat', 'nested', 'first'] as const)(
    'is as the one without, in the dialect %s: nothing waits',
    async (dialect) => {
      await using world = await startTestWorld({ service: { dialect } });
      const { agent, clock, service, user } = world;
      expect(new URL(service.issuer).hostname).toBe('127.0.0.1');
      user.whenAsked('wrong_code', 'approve');
      const before = clock.now();
      const outcome = await agent.connect({
        service: service.issuer,
        email: user.email,
        claim: true,
        call: '/api/resource',
        user: user.at(agent),
      });
      expect(outcome).toMatchObject({ status: 'connected', call: { status: 200 } });
      if (dialect === 'flat') expect(clock.now() - before).toBeGreaterThanOrEqual(10_000);
    },
  );

  it('goes on by itself, and is moved', async () => {
    await using world = await startTestWorld();
    const { agent, clock, service } = world;
    const { now } = await service.controls.state();
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
    await agent.register({ service: service.issuer, type: 'anonymous' });
    clock.advance('2h');
    expect(await agent.token()).toMatchObject({ fresh: true });
  });

  it('signs in at the provider, and mints', async () => {
    await using world = await startTestWorld();
    const { agent, provider, service, user } = world;
    user.whenAsked('approve');
    const outcome = await agent.connect({
      service: service.issuer,
      provider: provider.issuer,
      scopes: ['api.write'],
      user: user.at(agent),
    });
    expect(outcome.status).toBe('connected');
  });

  it('has a user for an agent in another process, and its controls', async () => {
    await using world = await startTestWorld();
    world.user.whenAsked('wait', 'approve');
    const words = [world.service.issuer, world.user.email, world.controlToken];
    const node = ['--input-type=module', '-e', AGENT, ...words];
    const { stdout } = await run(process.execPath, node, { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual(['authorization_pending', 'Bearer', 'Bearer']);
  });

  it('has a fetch for an agent of somebody else: that of the machine', async () => {
    await using world = await startTestWorld();
    const url = `${world.service.issuer}/agent/identity`;
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'anonymous' }),
    });
    expect((await world.fetch(request)).status).toBe(200);
    expect(await world.service.controls.registrations()).toHaveLength(1);
  });

  it('refuses a redirect where the agent asks for that, which was followed', async () => {
    await using world = await startTestWorld();
    const { fetch, service } = world;
    const url = `${service.issuer}/connections`;
    expect((await fetch(url)).redirected).toBe(true);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303);
    await expect(fetch(url, { redirect: 'error' })).rejects.toThrow(TypeError);
  });

  it('ends at once, with a request that hangs', async () => {
    const world = await startTestWorld();
    const { hostname, port } = new URL(world.service.issuer);
    const socket = connect(Number(port), hostname);
    const ended = once(socket, 'close');
    socket.on('error', () => {}).resume();
    socket.write('POST /agent/identity HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{');
    await once(socket, 'connect');
    await world.close();
    await ended;
  });

  it('refuses what it has not, and says where it goes', async () => {
    const refused = async (options: object, message: string) =>
      expect(startTestWorld(options)).rejects.toThrow(new TypeError(message));
    await refused(
      { apps: [] },
      'apps cannot be given: over HTTP, an application listens itself, and the agent is given its URL.',
    );
    await refused(
      { service: { baseUrl: 'http://127.0.0.1:4800' } },
      'service.baseUrl cannot be given: it is where the mock listens. ports chooses that.',
    );
    await refused({ ports: { agent: 1 } }, 'There is no option "ports.agent".');
    await refused(
      { ports: { service: 70_000 } },
      'ports.service is a port, from 0 (a free one) to 65535, not 70000.',
    );
  });

  it('says at its end what an act threw while an agent elsewhere polled', async () => {
    const world = await startTestWorld();
    const { service, user } = world;
    user.whenAsked(() => {
      throw new Error('an assertion of the test');
    });
    const post = (path: string, body: string | URLSearchParams, headers = {}) =>
      fetch(service.issuer + path, { method: 'POST', body, headers });
    const json = { 'content-type': 'application/json' };
    const asked = JSON.stringify({ type: 'service_auth', login_hint: user.email });
    const { claim_token } = (await (await post('/agent/identity', asked, json)).json()) as {
      claim_token: string;
    };
    const grant_type = 'urn:vendor:agent-auth:grant-type:claim';
    const poll = await post('/oauth2/token', new URLSearchParams({ grant_type, claim_token }));
    expect(poll.status).toBe(503);
    const before = await openServers();
    await expect(world.close()).rejects.toThrow('an assertion of the test');
    expect(await openServers()).toBe(before - 2);
  });

  it('closes all that it opened, once, also where a port is taken', async () => {
    const before = await openServers();
    const world = await startTestWorld();
    expect(await openServers()).toBe(before + 2);
    await Promise.all([world.close(), world.close()]);
    expect(await openServers()).toBe(before);
    await expect(world.fetch(world.service.issuer)).rejects.toThrow();

    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(startTestWorld({ ports: { service: port } })).rejects.toMatchObject({
      name: 'ListenError',
    });
    expect(await openServers()).toBe(before + 1);
    await new Promise((resolve) => taken.close(resolve));
    await expect(startTestWorld({ service: { faults: ['nothing'] } })).rejects.toThrow('nothing');
    expect(await openServers()).toBe(before);
  });
});
