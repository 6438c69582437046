import { describe, expect, it } from 'vitest';
import { createMockService } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { machineWithService, SERVICE, shell } from '../support/mocks.ts';
import { type Machine, routeTo } from '../support/run-cli.ts';

type Handler = Parameters<Machine['servers']['set']>[1];

const OTHER = 'http://127.0.0.1:4810';
const TOKEN = 'at_of-the-environment';

/** Two services, and what the other one was sent that holds the token. */
async function twoServices() {
  const machine = await machineWithService();
  const other = await createMockService({
    ...{ baseUrl: OTHER, clock: machine.clock, fetch: routeTo(machine.servers) },
    ...{ log: silentLog, random: new SeededRandom(3) },
  });
  const sent: string[] = [];
  const watch = (origin: string, fetch: Handler) =>
    machine.servers.set(origin, async (request) => {
      const body = await request.clone().text();
      if (`${request.headers.get('authorization')}${body}`.includes(TOKEN)) sent.push(origin);
      return fetch(request);
    });
  watch(OTHER, other.fetch);
  const own = machine.servers.get(SERVICE);
  if (own === undefined) throw new Error('There is no service.');
  watch(SERVICE, own);
  const env = { AGENT_AUTH_TOKEN: TOKEN };
  return { env, machine, run: shell(machine), sent };
}

describe('AGENT_AUTH_TOKEN', () => {
  it.each([
    `call ${OTHER}/api/resource`,
    `call ${OTHER}/api/resource --service ${OTHER}`,
    `call /api/resource --service ${OTHER}`,
    `token --service ${OTHER}`,
    `exec --service ${OTHER} -- true`,
    `revoke --service ${OTHER}`,
  ])('went with AGENT_AUTH_SERVICE of another service: %s', async (line) => {
    const { env, run, sent } = await twoServices();
    const ran = await run(line, { env: { ...env, AGENT_AUTH_SERVICE: SERVICE } });
    expect([ran.code, sent]).toEqual([5, []]);
    expect(ran.stderr).toContain(`is for ${SERVICE}, and is not sent to ${OTHER}`);
    expect(ran.stdout).not.toContain(TOKEN);
  });

  it('went to the command of exec for one service, and from there to another', async () => {
    const { env, run, sent } = await twoServices();
    const started: Readonly<Record<string, string | undefined>>[] = [];
    await run(`exec --service ${SERVICE} -- true`, {
      env,
      startChild: (_line, given) => {
        started.push(given);
        return { ended: Promise.resolve({ status: 'exited', code: 0 }), send: () => {} };
      },
    });
    const { AGENT_AUTH_SERVICE, AGENT_AUTH_TOKEN } = started[0] ?? {};
    const inside = { AGENT_AUTH_SERVICE, AGENT_AUTH_TOKEN };
    expect(inside).toEqual({ AGENT_AUTH_SERVICE: SERVICE, AGENT_AUTH_TOKEN: TOKEN });
    const ran = await run(`call ${OTHER}/api/resource --json`, { env: inside });
    expect([ran.code, sent]).toEqual([5, []]);
  });

  it('was revoked at a service that the command alone named', async () => {
    const { env, run, sent } = await twoServices();
    const ran = await run(`revoke --service ${OTHER} --json`, { env });
    expect([ran.code, sent]).toEqual([5, []]);
    expect(ran.json().at(-1)).toMatchObject({ error: { code: 'call_elsewhere' } });
  });

  it('is of the service that the command names, where nothing else says', async () => {
    const { env, run, sent } = await twoServices();
    expect((await run(`call ${OTHER}/api/resource`, { env })).code).toBe(4);
    expect(sent).toEqual([OTHER]);
  });

  it('is left alone, with a line, where the file has a registration', async () => {
    const { env, run, sent } = await twoServices();
    await run(`register ${OTHER} --type anonymous`);
    const ran = await run(`call ${OTHER}/api/resource`, { env });
    expect([ran.code, sent]).toEqual([0, []]);
    expect(ran.stderr).toContain('AGENT_AUTH_TOKEN is not used here');
    const named = { ...env, AGENT_AUTH_SERVICE: SERVICE };
    expect((await run(`call ${OTHER}/api/resource`, { env: named })).code).toBe(0);
    expect(sent).toEqual([]);
  });

  it('is of the service that the file has it for, whatever else is named', async () => {
    const { run, sent } = await twoServices();
    await run(`register ${SERVICE} --type anonymous`);
    const env = { AGENT_AUTH_TOKEN: (await run('token')).stdout.trim() };
    expect((await run('call /api/resource', { env })).code).toBe(0);
    const ran = await run(`call ${OTHER}/api/resource`, { env });
    expect([ran.code, sent]).toEqual([5, []]);
    expect((await run('revoke', { env })).code).toBe(0);
  });
});
