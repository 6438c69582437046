import { expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { newcomer, registrations } from '../support/connected.ts';
import { ALICE, machineWithService, SERVICE } from '../support/mocks.ts';

it('connect without --email registered again for a user whom nobody named', async () => {
  const { machine, run } = await newcomer();
  await run(`register ${SERVICE} --email ${ALICE}`);
  // The service forgets everything.
  const other = await machineWithService();
  const forgetful = other.servers.get(SERVICE);
  if (forgetful === undefined) throw new Error('No service answers.');
  machine.servers.set(SERVICE, forgetful);
  machine.clock.advance(MINUTE);
  other.clock.advance(MINUTE);
  const done = await run(`connect ${SERVICE} --json`);
  expect(done.code).toBe(0);
  expect(await registrations(machine)).toMatchObject([
    { type: 'service_auth', email: ALICE, ended: expect.any(String) },
    { type: 'anonymous', email: null, ended: null },
  ]);
});
