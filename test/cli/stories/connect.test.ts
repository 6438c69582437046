import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { step } from '../../support/step.ts';
import {
  errorOf,
  inTheNextWait,
  newcomer,
  registrations,
  stepsOf,
  summaryOf,
} from '../support/connected.ts';
import { ALICE, ceremonyOf, registered, SERVICE, userApproves } from '../support/mocks.ts';

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
    expect(stdout).toMatch(/scopes +api\.read\n/);
    expect(stdout).toMatch(/until +2026-01-01 01:00 UTC \(in 1 hour\)/);
    expect(stdout).toContain('GET /api/resource answered 200.');
    expect(stdout).toContain('Next: agent-auth call /PATH');
  });

  it('prints one JSON line a step, the summary last, and no text', async () => {
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
    expect(summaryOf(first)['already']).toBe(false);
    expect(await registrations(machine)).toHaveLength(1);
  });

  it('finds a claim that was completed while nobody waited', async () => {
    const { machine, run } = await newcomer();
    const line = `connect ${SERVICE} --claim --email ${ALICE} --type anonymous --json`;
    await userApproves(machine, ceremonyOf(await run(`${line} --no-wait`)));
    machine.clock.advance(MINUTE);
    const done = await run(line);
    expect([done.code, summaryOf(done)['scopes']]).toEqual([0, ['api.read', 'api.write']]);
    const { stdout } = await run(`connect ${SERVICE}`);
    expect(stdout).toContain(`(registered anonymously, claimed by ${ALICE})`);
  });

  it('takes up what register made', async () => {
    const { machine, run } = await registered();
    expect(summaryOf(await run(`connect --json`))['already']).toBe(true);
    expect(await registrations(machine)).toHaveLength(1);
  });
});

describe('connect --no-wait', () => {
  it('stops at the user with exit 8, and the line without it goes on', async () => {
    const { machine, run } = await newcomer();
    const { code, stdout } = await run(`connect ${SERVICE} --email ${ALICE} --no-wait`);
    expect(code).toBe(8);
    expect(stdout).toContain('Code  ');
    expect(stdout).toContain(`Next: agent-auth connect ${SERVICE} --email ${ALICE}  (continues`);
    const [open] = await registrations(machine);
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
    );
    expect((await run(`connect ${SERVICE} --email ${ALICE}`)).code).toBe(0);
    expect((await registrations(machine)).map(({ id }) => id)).toEqual([open?.id]);
  });

  it('excludes --leave: what is forgotten cannot be gone on with', async () => {
    const { machine, run } = await newcomer();
    expect((await run(`connect ${SERVICE} --no-wait --leave`)).code).toBe(2);
    expect(await registrations(machine)).toEqual([]);
  });
});

describe('a claim that comes to nothing', () => {
  const line = `connect ${SERVICE} --email ${ALICE}`;

  it('is refused with exit 5, also by the same line again, until it is asked for again', async () => {
    const { machine, run } = await newcomer();
    const first = ceremonyOf(await run(`${line} --no-wait --json`));
    inTheNextWait(machine, () => userApproves(machine, first, 'deny'));
    const { code, stderr } = await run(line);
    expect(code).toBe(5);
    expect(stderr).toContain('The user denied the claim.');
    expect(stderr).toContain('Next: agent-auth claim --renew');
    expect((await run(line)).code).toBe(5);
    await userApproves(machine, ceremonyOf(await run('claim --renew --no-wait --json')));
    expect((await run(line)).code).toBe(0);
  });

  it('is over with exit 6 where nobody is asked for another code', async () => {
    const { machine, run } = await newcomer();
    await run(`${line} --no-wait`);
    inTheNextWait(machine, () => machine.clock.advance(10 * MINUTE));
    const done = await run(`${line} --json`);
    expect(done.code).toBe(6);
    expect(errorOf(done)).toMatchObject({
      code: 'attempt_expired',
      next: step(`agent-auth ${line}`),
    });
  });

  it('gets another code where the user at the terminal wants one', async () => {
    const { machine, run } = await newcomer();
    await run(`${line} --no-wait`);
    inTheNextWait(machine, () => {
      machine.clock.advance(10 * MINUTE);
      inTheNextWait(machine, async () =>
        userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
      );
    });
    const { code, asked } = await run(line, { tty: true, answers: [true] });
    expect([code, asked]).toEqual([0, ['The code has expired. Get a new one?']]);
  });
});

describe('connect where something fails', () => {
  it('exits 7 without a service, with the same line to try again', async () => {
    const { machine, run } = await newcomer();
    machine.servers.clear();
    const failed = await run(`connect ${SERVICE} --call /api/resource --json`);
    expect(failed.code).toBe(7);
    expect(errorOf(failed)).toMatchObject({
      next: step(`agent-auth connect ${SERVICE} --call /api/resource`),
      retryable: true,
    });
  });

  it('keeps what it registered when the service dies after that, and goes on from there', async () => {
    const { machine, run } = await newcomer();
    const service = machine.servers.get(SERVICE);
    if (service === undefined) throw new Error('no service');
    machine.servers.set(SERVICE, (request) =>
      new URL(request.url).pathname === '/oauth2/token'
        ? new Response(null, { status: 503 })
        : service(request),
    );
    expect((await run(`connect ${SERVICE}`)).code).toBe(7);
    machine.servers.set(SERVICE, service);
    const done = await run(`connect ${SERVICE} --json`);
    expect([done.code, summaryOf(done)['already']]).toEqual([0, true]);
    expect(await registrations(machine)).toHaveLength(1);
  });

  it('registers again where the service has forgotten the registration', async () => {
    const { machine, run } = await newcomer();
    await run(`connect ${SERVICE}`);
    const other = await newcomer();
    const another = other.machine.servers.get(SERVICE);
    if (another === undefined) throw new Error('no service');
    machine.servers.set(SERVICE, another);
    const done = await run(`connect ${SERVICE} --json`);
    expect([done.code, summaryOf(done)['already']]).toEqual([0, false]);
    expect((await registrations(machine)).map(({ ended }) => ended)).toEqual(['revoked', null]);
  });

  it('exits 130 after Ctrl-C, keeps the code, and the same line goes on with it', async () => {
    const { machine, run } = await newcomer();
    const line = `connect ${SERVICE} --email ${ALICE}`;
    let stop = () => {};
    machine.onSleep = () => stop();
    const { code, stderr } = await run(line, {
      meanwhile: (live) => {
        stop = live.stop;
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('The claim stays open.');
    expect(stderr).toContain(`Next: agent-auth ${line}`);
    machine.onSleep = undefined;
    const again = await run(`${line} --no-wait --json`);
    expect(stderr).toContain(ceremonyOf(again).page);
  });

  it('refuses demo --service with the line that does it', async () => {
    const { run } = await newcomer();
    const { code, json } = await run(`demo --service ${SERVICE} --json`);
    expect(code).toBe(2);
    expect(json()[0]?.['error']).toMatchObject({ next: step(`agent-auth connect ${SERVICE}`) });
  });
});
