import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { registrations } from '../support/connected.ts';
import { ALICE, ceremonyOf, PROVIDER, SERVICE, userApproves } from '../support/mocks.ts';
import { consented } from '../support/signed-in.ts';

/** Signed in and consented, at a service that has an account for that user already. */
const knownThere = () => consented(ALICE, { service: { users: [{ email: ALICE }] } });

const LINES = {
  connect: `connect ${SERVICE} --provider ${PROVIDER} --no-wait --json`,
  register: `register ${SERVICE} --provider ${PROVIDER} --json`,
};

describe.each(Object.entries(LINES))(
  '%s --provider again while a confirmation is open',
  (_command, line) => {
    it('replaced the code that the user holds', async () => {
      const { machine, run } = await knownThere();
      const first = await run(line);
      machine.clock.advance(6000);
      const again = await run(line);
      expect([first.code, again.code]).toEqual([8, 8]);
      expect(ceremonyOf(again)).toEqual(ceremonyOf(first));
      const steps = [...first.json(), ...again.json()];
      expect(steps.map(({ already }) => already).filter((each) => each !== undefined)).toEqual([
        false,
        true,
      ]);
      await userApproves(machine, ceremonyOf(first));
      machine.clock.advance(6000);
      const done = await run(line);
      expect([done.code, done.json().at(-1)]).toMatchObject([
        0,
        { registration: { claimed: true } },
      ]);
      expect(await registrations(machine)).toHaveLength(1);
    });

    it('asks again once the code expired, or was denied', async () => {
      const { machine, run } = await knownThere();
      const first = await run(line);
      machine.clock.advance(11 * MINUTE);
      const second = await run(line);
      expect([second.code, ceremonyOf(second).code === ceremonyOf(first).code]).toEqual([8, false]);
      await userApproves(machine, ceremonyOf(second), 'deny');
      machine.clock.advance(6000);
      await run('claim wait');
      const third = await run(line);
      expect([third.code, ceremonyOf(third).code === ceremonyOf(second).code]).toEqual([8, false]);
    });
  },
);
