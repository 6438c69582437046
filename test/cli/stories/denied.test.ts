import { describe, expect, it } from 'vitest';
import { ALICE, ceremonyOf, registered, SERVICE, userApproves } from '../support/mocks.ts';

/** Registered by email; its user denied the claim, and a wait was told so. */
async function denied() {
  const { machine, run } = await registered(`register ${SERVICE} --email ${ALICE}`);
  await userApproves(machine, ceremonyOf(await run('claim --no-wait --json')), 'deny');
  expect((await run('claim wait')).code).toBe(5);
  return { machine, run };
}

describe('after a denial, a command told of an expired code and led to another claim', () => {
  it.each(['token', 'call /api/resource'])('`%s` says that the user denied it', async (line) => {
    const { run } = await denied();
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('The user denied the claim, so there is no token.');
    expect(stderr).toContain('claim again: agent-auth claim --renew.');
    expect(stderr).toContain('Next: agent-auth status');
  });

  it('`claim` asks nobody again, and says how to ask or begin anew', async () => {
    const { run } = await denied();
    const { code, stderr } = await run('claim');
    expect(code).toBe(5);
    expect(stderr).toContain('Nobody asks again by itself.');
    expect(stderr).toContain('to begin anew, as after a reset of the service: agent-auth forget');
    expect((await run('forget')).code).toBe(0);
    expect((await run(`connect ${SERVICE} --email ${ALICE} --claim --no-wait`)).code).toBe(8);
  });

  it('`status` and `doctor` say so, and name no step that asks again', async () => {
    const { run } = await denied();
    const status = await run('status');
    expect(status.stdout).toContain('not claimed; its user denied it');
    expect(status.stdout).not.toContain('agent-auth claim');
    const doctor = await run('doctor');
    expect(doctor.stdout).toContain('is not claimed: its user denied it.');
    expect(doctor.stdout).not.toContain('agent-auth claim');
  });
});
