import { describe, expect, it } from 'vitest';
import {
  addReports,
  inTheNextWait,
  newcomer,
  registrations,
  stepsOf,
  summaryOf,
} from '../support/connected.ts';
import { ALICE, ceremonyOf, registered, SERVICE, userApproves } from '../support/mocks.ts';
import type { Machine } from '../support/run-cli.ts';

/** The tokens that the service was sent to revoke, and those that it issued. */
function watchTokens(machine: Machine) {
  const issued: string[] = [];
  const service = machine.servers.get(SERVICE);
  if (service === undefined) throw new Error('No service answers.');
  machine.servers.set(SERVICE, async (request) => {
    const answer = await service(request);
    if (new URL(request.url).pathname === '/oauth2/token' && answer.ok) {
      issued.push(String(JSON.parse(await answer.clone().text()).access_token));
    }
    return answer;
  });
  const isAlive = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await service(new Request(`${SERVICE}/api/resource`, { headers }));
    return answer.status === 200;
  };
  return { issued, isAlive };
}

describe('connect --leave', () => {
  it('revokes and forgets what it registered, and says so', async () => {
    const { machine, run } = await newcomer();
    const { issued, isAlive } = watchTokens(machine);
    const { code, stdout, stderr } = await run(`connect ${SERVICE} --call /api/resource --leave`);
    expect(code).toBe(0);
    expect(stderr).toMatch(/✓ Removed reg_\S+ from this machine and revoked its access token\./);
    expect(stdout).toContain('Connected to Test Service, then left it.');
    expect(await registrations(machine)).toEqual([]);
    expect(issued).toHaveLength(1);
    expect(await isAlive(issued[0] ?? '')).toBe(false);
  });

  it('tells it to programs: the step, and in the summary', async () => {
    const { run } = await newcomer();
    const done = await run(`connect ${SERVICE} --leave --json`);
    expect(stepsOf(done)).toEqual(['discover', 'register', 'token', 'leave', 'summary']);
    expect(summaryOf(done)).toMatchObject({ left: [{ revocation: 'revoked' }], next: null });
  });

  it('leaves what a user has claimed in this run, too', async () => {
    const { machine, run } = await newcomer();
    const { issued, isAlive } = watchTokens(machine);
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
    );
    const { code } = await run(`connect ${SERVICE} --email ${ALICE} --leave`);
    expect([code, await registrations(machine)]).toEqual([0, []]);
    expect(await isAlive(issued.at(-1) ?? '')).toBe(false);
  });

  it('keeps one that was there before, and a line says so', async () => {
    const { machine, run } = await registered();
    const [{ id } = { id: '' }] = await registrations(machine);
    const { code, stderr } = await run('connect --leave');
    expect(code).toBe(0);
    expect(stderr).toContain(`! ${id} existed before this run, so it is kept.`);
    expect(await registrations(machine)).toHaveLength(1);
    const told = await run('connect --leave --json');
    expect(told.json()).toContainEqual(
      expect.objectContaining({ step: 'leave', status: 'kept', registration_id: id }),
    );
  });

  it('puts back what was in use before', async () => {
    const { machine, run } = await registered();
    const [before] = await registrations(machine);
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json'))),
    );
    await run(`connect --type service_auth --email ${ALICE} --leave`);
    const { services, lastService } = await machine.store.read();
    expect([services[0]?.current, lastService]).toEqual([before?.id, SERVICE]);
    expect(await registrations(machine)).toHaveLength(1);
  });

  it('leaves after a step that failed', async () => {
    const { machine, run } = await newcomer();
    const { issued, isAlive } = watchTokens(machine);
    addReports(machine);
    const { code, stderr } = await run(`connect ${SERVICE} --call /reports --leave`);
    expect(code).toBe(5);
    expect(stderr).toContain('✓ Removed ');
    expect(stderr).toContain('--leave');
    expect(await registrations(machine)).toEqual([]);
    expect(await isAlive(issued[0] ?? '')).toBe(false);
  });

  it('leaves when no token came for what was registered', async () => {
    const { machine, run } = await newcomer();
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, (request) =>
      new URL(request.url).pathname === '/oauth2/token'
        ? new Response(null, { status: 503 })
        : (service?.(request) ?? Response.error()),
    );
    expect((await run(`connect ${SERVICE} --leave`)).code).toBe(7);
    expect(await registrations(machine)).toEqual([]);
  });

  it('leaves what its user refused', async () => {
    const { machine, run } = await newcomer();
    inTheNextWait(machine, async () =>
      userApproves(machine, ceremonyOf(await run('claim --no-wait --json')), 'deny'),
    );
    expect((await run(`connect ${SERVICE} --email ${ALICE} --leave`)).code).toBe(5);
    expect(await registrations(machine)).toEqual([]);
  });

  it('leaves after Ctrl-C, and does not say that anything stays open', async () => {
    const { machine, run } = await newcomer({ identityTypes: ['anonymous'] });
    const { issued, isAlive } = watchTokens(machine);
    let stop = () => {};
    machine.onSleep = () => stop();
    const { code, stderr } = await run(`connect ${SERVICE} --email ${ALICE} --leave`, {
      meanwhile: (live) => {
        stop = live.stop;
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('✓ Removed ');
    expect(stderr).not.toContain('stays open');
    expect(await registrations(machine)).toEqual([]);
    expect(await isAlive(issued[0] ?? '')).toBe(false);
  });

  it('says that the token may live where the service is gone by then', async () => {
    const { machine, run } = await newcomer({ identityTypes: ['anonymous'] });
    inTheNextWait(machine, async () => {
      await userApproves(machine, ceremonyOf(await run('claim --no-wait --json')), 'deny');
    });
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, (request) =>
      new URL(request.url).pathname === '/oauth2/revoke'
        ? new Response(null, { status: 503 })
        : (service?.(request) ?? Response.error()),
    );
    const { stderr } = await run(`connect ${SERVICE} --email ${ALICE} --leave`);
    expect(stderr).toMatch(/! Removed .*may still be valid/);
  });
});
