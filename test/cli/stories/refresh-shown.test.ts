import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/protocol/durations.ts';
import { ReadBackMock } from '../../support/read-back-mock.ts';
import { ALICE, SERVICE, shell } from '../support/mocks.ts';
import { newMachine } from '../support/run-cli.ts';

/** A registration that its user has claimed, with the refresh token of that claim. */
async function claimed() {
  const machine = newMachine();
  const { clock } = machine;
  const service = await ReadBackMock.start({ baseUrl: SERVICE, dialect: 'nested', clock });
  machine.servers.set(SERVICE, service.fetch);
  const run = shell(machine);
  await run(`register ${SERVICE} --type anonymous`);
  await run(`claim --email ${ALICE} --no-wait --json`);
  await run(`claim --code ${await service.confirm()}`);
  return { machine, run };
}

describe('a registration that a refresh token renews', () => {
  it('says in `status` until when', async () => {
    const { run } = await claimed();
    expect((await run('status')).stdout).toMatch(/refresh until +\S/);
    const [status] = (await run('status --json')).json();
    expect(JSON.stringify(status)).toContain('"refresh_expires_in":2592000');
  });

  it('says in `doctor` for how long, and once it is over', async () => {
    const { machine, run } = await claimed();
    expect((await run(`doctor ${SERVICE}`)).stdout).toContain('Its refresh token is good for 30 d');
    machine.clock.advance(31 * DAY);
    expect((await run(`doctor ${SERVICE}`)).stdout).toContain('Its refresh token has expired.');
  });

  it('says nothing of one where there is none', async () => {
    const machine = newMachine();
    const { clock } = machine;
    const service = await ReadBackMock.start({ baseUrl: SERVICE, dialect: 'nested', clock });
    machine.servers.set(SERVICE, service.fetch);
    const run = shell(machine);
    await run(`register ${SERVICE} --type anonymous`);
    expect((await run('status')).stdout).not.toContain('refresh');
    expect((await run(`doctor ${SERVICE}`)).stdout).not.toContain('refresh token');
  });
});
