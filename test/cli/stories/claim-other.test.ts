import { describe, expect, it } from 'vitest';
import { ALICE, machineWithService, registered, SERVICE, shell } from '../support/mocks.ts';

const BOB = 'bob@example.com';

describe('claim --email for another user', () => {
  it('does not send an email that cannot be changed, and prints no code for the old one: exit 2', async () => {
    const machine = await machineWithService();
    const run = shell(machine);
    await run(`register ${SERVICE} --email ${ALICE}`);
    machine.servers.set(SERVICE, () => {
      throw new Error('Something was sent.');
    });
    const { code, stdout, stderr } = await run(`claim --email ${BOB}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`is for ${ALICE}, which cannot be changed. Nothing was sent.`);
    expect(stderr).toContain(`Next: agent-auth register ${SERVICE} --email ${BOB}`);
    const [json] = (await run(`claim --email ${BOB} --no-wait --json`)).json();
    expect(json).toMatchObject({ error: { code: 'email_fixed' } });
  });

  it('shows the email that it sent where it may change: on the screen, in JSON, and in status', async () => {
    const { run } = await registered(`claim --email ${ALICE} --no-wait`);
    const { code, stdout } = await run(`claim --email ${BOB} --no-wait`);
    expect(code).toBe(8);
    expect(stdout).toContain(`Waiting for ${BOB} to claim it:`);
    expect((await run('claim --no-wait --json')).json()[0]).toMatchObject({
      registration: { email: BOB },
    });
    const status = (await run('status')).stdout;
    expect(status).toContain(BOB);
    expect(status).not.toContain(ALICE);
  });
});
