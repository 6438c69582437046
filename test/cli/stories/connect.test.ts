import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import {
  ALICE,
  ceremonyOf,
  machineWithService,
  registered,
  SERVICE,
  shell,
  userApproves,
} from '../support/mocks.ts';
import type { Machine, Run } from '../support/run-cli.ts';

/** Runs something during the agent's next wait, once. */
function inTheNextWait(machine: Machine, work: () => Promise<unknown>): void {
  machine.onSleep = async () => {
    machine.onSleep = undefined;
    await work();
  };
}

async function newcomer() {
  const machine = await machineWithService();
  return { machine, run: shell(machine) };
}

function stepsOf(run: Run): readonly unknown[] {
  return run.json().map((line) => line['step']);
}

function summaryOf(run: Run): Record<string, unknown> {
  return run.json().at(-1) ?? {};
}

async function storedIds(machine: Machine): Promise<readonly string[]> {
  const { services } = await machine.store.read();
  return services.flatMap(({ registrations }) => registrations.map(({ id }) => id));
}

describe('connect', () => {
  it('registers anonymously where nothing is said, and tells each step and what it may do', async () => {
    const { run } = await newcomer();
    const { code, stdout, stderr } = await run(`connect ${SERVICE} --call /api/resource`);
    expect(code).toBe(0);
    expect(stderr.split('\n').map((line) => line.slice(0, 12))).toEqual([
      '✓ Found Test',
      '✓ Registered',
      '✓ Got a toke',
      '✓ GET /api/r',
      '',
    ]);
    expect(stdout).toContain('Connected to Test Service.');
    expect(stdout).toMatch(/may +api\.read\n/);
    expect(stdout).toMatch(/until +2026-01-01 01:00 UTC \(in 1 hour\)/);
    expect(stdout).toContain('GET /api/resource answered 200.');
    expect(stdout).toContain('Next: agent-auth call /PATH');
  });

  it('prints one JSON line a step, the summary last, and nothing for people', async () => {
    const { run } = await newcomer();
    const done = await run(`connect ${SERVICE} --call /api/resource --json`);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(stepsOf(done)).toEqual(['discover', 'register', 'token', 'call', 'summary']);
    expect(new Set(done.json().map(({ schema }) => schema))).toEqual(
      new Set(['agent-auth.connect/1']),
    );
    expect(summaryOf(done)).toMatchObject({
      status: 'connected',
      already: false,
      scopes: ['api.read'],
      claim_adds: ['api.write'],
      call: { method: 'GET', url: `${SERVICE}/api/resource`, status: 200 },
      left: [],
    });
  });

  it('goes on from every point where it stopped, and ends in the same summary again', async () => {
    const { machine, run } = await newcomer();
    const line = `connect ${SERVICE} --scope api.write --email ${ALICE} --type anonymous --json`;
    const first = await run(`connect ${SERVICE} --json`);
    const opened = await run(`${line} --no-wait`);
    expect(stepsOf(opened)).toEqual(['discover', 'register', 'claim', 'summary']);
    expect(opened.code).toBe(8);
    expect(summaryOf(opened)).toMatchObject({ status: 'pending' });
    const again = await run(`${line} --no-wait`);
    expect(ceremonyOf(again)).toEqual(ceremonyOf(opened));
    inTheNextWait(machine, () => userApproves(machine, ceremonyOf(opened)));
    const done = await run(line);
    expect(stepsOf(done)).toEqual(['discover', 'register', 'claim', 'claim', 'token', 'summary']);
    expect(summaryOf(done)).toMatchObject({ already: false, scopes: ['api.read', 'api.write'] });
    const repeated = await run(line);
    expect(stepsOf(repeated)).toEqual(['discover', 'register', 'token', 'summary']);
    const { token: _, ...facts } = summaryOf(done);
    expect(summaryOf(repeated)).toMatchObject({ ...facts, already: true });
    expect(summaryOf(first)['registration']).toMatchObject({
      registration_id: (await storedIds(machine))[0],
    });
    expect(await storedIds(machine)).toHaveLength(1);
  });

  it('finds a claim that was completed while nobody waited', async () => {
    const { machine, run } = await newcomer();
    const line = `connect ${SERVICE} --claim --email ${ALICE} --type anonymous --json`;
    await userApproves(machine, ceremonyOf(await run(`${line} --no-wait`)));
    machine.clock.advance(MINUTE);
    const done = await run(line);
    expect([done.code, summaryOf(done)['scopes']]).toEqual([0, ['api.read', 'api.write']]);
  });

  it('takes up what register made', async () => {
    const { machine, run } = await registered();
    expect(summaryOf(await run(`connect --json`))['already']).toBe(true);
    expect(await storedIds(machine)).toHaveLength(1);
  });
});
