import { describe, expect, it } from 'vitest';
import { newcomer, registrations, summaryOf } from '../support/connected.ts';
import { ALICE, ceremonyOf, SERVICE, userApproves } from '../support/mocks.ts';
import type { Machine } from '../support/run-cli.ts';

const BOB = 'bob@example.com';

/** An anonymous registration that Alice is asked to claim. */
async function aliceIsAsked(options: Parameters<typeof newcomer>[0] = {}) {
  const { machine, run } = await newcomer(options);
  const line = `connect ${SERVICE} --type anonymous --email ${ALICE} --no-wait --json`;
  const open = ceremonyOf(await run(line));
  const [{ id } = { id: '' }] = await registrations(machine);
  return { machine, run, open, id };
}

const claimers = async (machine: Machine) =>
  (await registrations(machine)).map(({ email, claim }) => email ?? claim?.email);

async function inUse(machine: Machine) {
  return (await machine.store.read()).services[0]?.current;
}

/** The token endpoint answers so from now on. @returns what puts it right again. */
function breakTokens(machine: Machine, answer: () => Response): () => void {
  const right = machine.servers.get(SERVICE);
  if (right === undefined) throw new Error('No service answers.');
  machine.servers.set(SERVICE, (request) =>
    new URL(request.url).pathname === '/oauth2/token' ? answer() : right(request),
  );
  return () => machine.servers.set(SERVICE, right);
}

describe('connect for one user where the registration is of another', () => {
  it.each([
    ['an anonymous one', {}, ' --type anonymous'],
    ['an anonymous one, with --claim', {}, ' --type anonymous --claim'],
    ['the only type that is offered', { identityTypes: ['anonymous'] as const }, ''],
  ])('did not say so: %s, claimed', async (_case, options, flags) => {
    const { machine, run, open, id } = await aliceIsAsked(options);
    await userApproves(machine, open);
    machine.clock.advance(5000);
    await run('claim wait');
    const done = await run(`connect ${SERVICE} --email ${BOB}${flags} --no-wait --json`);
    expect(done.code).toBe(8);
    expect(summaryOf(done)).toMatchObject({ status: 'pending', registration: { email: BOB } });
    expect(
      (summaryOf(done)['registration'] as { registration_id: string }).registration_id,
    ).not.toBe(id);
    expect(await claimers(machine)).toEqual([ALICE, BOB]);
  });

  it.each([
    [' --type anonymous', {}],
    ['', { identityTypes: ['anonymous'] as const }],
  ])('took over an open claim unasked: %s', async (flags, options) => {
    const { machine, run, open, id } = await aliceIsAsked(options);
    const line = `connect ${SERVICE} --email ${BOB}${flags} --no-wait --json`;
    expect((await run(line)).code).toBe(8);
    expect((await run(line)).code).toBe(8);
    expect(await claimers(machine)).toEqual([ALICE, BOB]);
    await userApproves(machine, open);
    machine.clock.advance(5000);
    const done = await run(`connect ${SERVICE} --type anonymous --email ${ALICE} --json`);
    expect(summaryOf(done)).toMatchObject({
      status: 'connected',
      registration: { registration_id: id, email: ALICE },
    });
  });
});

describe('a connect that fails', () => {
  it.each(['', ' --leave'])('changed the registration in use and said nothing:%s', async (flag) => {
    const { machine, run } = await newcomer();
    await run(`register ${SERVICE} --email ${ALICE}`);
    await run(`register ${SERVICE}`);
    const before = await inUse(machine);
    machine.clock.advance(5000);
    const mend = breakTokens(machine, () => new Response(null, { status: 500 }));
    const line = `connect ${SERVICE} --email ${ALICE}${flag}`;
    const failed = await run(line);
    expect([failed.code, await inUse(machine)]).toEqual([7, before]);
    expect(failed.stderr).not.toContain('Already registered');
    mend();
    expect((await run(`connect ${SERVICE} --email ${ALICE} --no-wait`)).stderr).toContain(
      `Back: agent-auth use ${before}`,
    );
    expect(await inUse(machine)).not.toBe(before);
  });

  it('with --leave kept in use what it had only looked at', async () => {
    const { machine, run, open } = await aliceIsAsked();
    await run(`register ${SERVICE} --new`);
    const before = await inUse(machine);
    await userApproves(machine, open, 'deny');
    machine.clock.advance(5000);
    const { code } = await run(`connect ${SERVICE} --email ${ALICE} --leave`);
    expect([code, await inUse(machine)]).toEqual([5, before]);
  });
});
