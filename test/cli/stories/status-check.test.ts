import { describe, expect, it } from 'vitest';
import { createMockService } from '../../../src/mock-service/index.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { SERVICE, shell } from '../support/mocks.ts';
import { newMachine, routeTo } from '../support/run-cli.ts';

const NOT_ASKED = /No server was asked.*agent-auth status --check asks/;
const DAYS = 2 * 86_400_000;

/** Registered at a service with a clock of its own; `asked` has the paths that it was sent. */
async function registeredElsewhere() {
  const machine = newMachine();
  const server = new FakeClock(machine.clock.now());
  const service = await createMockService({
    random: new SeededRandom(7),
    fetch: routeTo(machine.servers),
    log: silentLog,
    baseUrl: SERVICE,
    clock: server,
  });
  const asked: string[] = [];
  machine.servers.set(SERVICE, (request) => {
    asked.push(new URL(request.url).pathname);
    return service.fetch(request);
  });
  const run = shell(machine);
  expect((await run(`register ${SERVICE}`)).code).toBe(0);
  asked.length = 0;
  return { machine, server, asked, run };
}

const stateIn = (json: readonly unknown[]) =>
  (json[0] as { services: [{ clock_seen: boolean; registrations: [{ state: string }] }] })
    .services[0];

describe('status', () => {
  it('sends nothing, and says that no server was asked', async () => {
    const { asked, run } = await registeredElsewhere();
    expect((await run('status')).stdout).toMatch(NOT_ASKED);
    expect((await run('status --json')).json()[0]).toMatchObject({
      checked: false,
      services: [{ clock_seen: false }],
    });
    expect(asked).toEqual([]);
  });

  it('counts by this machine where nothing is set: what expires is expired', async () => {
    const { machine, asked, run } = await registeredElsewhere();
    machine.clock.advance(DAYS);
    expect(stateIn((await run('status --json')).json()).registrations[0].state).toBe('expired');
    expect(asked).toEqual([]);
  });

  it('sees with --check alone that the clock of the service was set', async () => {
    const { server, asked, run } = await registeredElsewhere();
    server.advance(DAYS);
    const unasked = stateIn((await run('status --json')).json());
    expect([unasked.clock_seen, unasked.registrations[0].state]).toEqual([false, 'unclaimed']);
    expect(asked).toEqual([]);
    const [checked] = (await run('status --check --json')).json();
    expect(checked).toMatchObject({ checked: true });
    const seen = stateIn([checked]);
    expect([seen.clock_seen, seen.registrations[0].state]).toEqual([true, 'expired']);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('agrees with what claim wait learned of the clock of the service', async () => {
    const { server, run } = await registeredElsewhere();
    expect((await run('claim --email alice@example.com --no-wait')).code).toBe(8);
    server.advance(11 * 60_000);
    expect((await run('claim wait')).code).toBe(6);
    const { registrations } = stateIn((await run('status --json')).json());
    expect(registrations[0].state).toBe('lapsed');
  });

  it('with --check says nothing of clocks where each told its time', async () => {
    const { run } = await registeredElsewhere();
    const { code, stdout } = await run('status --check');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/as it was seen last/);
  });

  it('with --check names who did not tell its time', async () => {
    const { machine, run } = await registeredElsewhere();
    machine.servers.clear();
    const { code, stdout } = await run('status --check');
    expect(code).toBe(0);
    expect(stdout).toContain(`! ${SERVICE} did not tell its time: times go by its clock as it was`);
    expect((await run('status --check --json')).json()[0]).toMatchObject({
      checked: true,
      services: [{ clock_seen: false }],
    });
  });

  it('says nothing of clocks where nothing has an end', async () => {
    const { code, stdout } = await shell(newMachine())('status');
    expect(code).toBe(4);
    expect(stdout).not.toMatch(/asked/);
  });
});
