import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { deliver, mustEndByEvents } from '../../steps/deliver-event.ts';
import { mustBeAccepted, present, registrationOf } from '../../steps/present-id-jag.ts';

const PARALLEL = 6;

export const idJagRaces = serviceScenario({
  id: 'id-jag-races',
  title: 'Several ID-JAGs of one new user arrive at the same time',
  checks: {
    'one-registration': 'ID-JAGs of one user at the same time lead to one registration.',
    'ended-by-one': 'One event ends each assertion that they brought.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const whom = world.freshSubject();
    const idJags = Array.from({ length: PARALLEL }, () => world.idJag(whom));
    const answers = await Promise.all(idJags.map((idJag) => present(world, idJag)));
    const given = answers.filter((answer) => answer.string('identity_assertion') !== undefined);
    const ids = new Set(given.map(registrationOf));
    const seen = `${ids.size} registrations by ${given.length} ID-JAGs`;
    if (await hasOneRegistration()) {
      const { exchange } = given.at(-1) ?? {};
      judge.expect('one-registration', ids.size <= 1, seen, { exchange });
    } else {
      const reason = 'Each ID-JAG has a registration of its own anyway: id-jag-known.';
      judge.skip('one-registration', reason);
    }
    if (given.length === 0) {
      return judge.skip('ended-by-one', 'None of them was answered with an assertion.');
    }
    await mustEndByEvents(world);
    await deliver(world, world.revokedEvent(whom.subject));
    for (const answer of given) {
      const late = await world.client.exchange(answer.string('identity_assertion') ?? '');
      judge.table(late, { 'ended-by-one': refused });
    }

    /** Whether two ID-JAGs, one after the other, lead to the same one. */
    async function hasOneRegistration(): Promise<boolean> {
      const first = await mustBeAccepted(world);
      const again = await present(world, world.idJag(first));
      return registrationOf(again) === registrationOf(first.answer);
    }
  },
});
