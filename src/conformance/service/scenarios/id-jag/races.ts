import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { deliver, mustEndByEvents } from '../../steps/deliver-event.ts';
import { mustBeAccepted, present } from '../../steps/present-id-jag.ts';

const PARALLEL = 6;

export const idJagRaces = serviceScenario({
  id: 'id-jag-races',
  title: 'Several ID-JAGs of one new user arrive at the same time',
  checks: {
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
    if (given.length === 0) {
      return judge.skip('ended-by-one', 'None of them was answered with an assertion.');
    }
    await mustEndByEvents(world);
    await deliver(world, world.revokedEvent(whom.subject));
    for (const answer of given) {
      const late = await world.client.exchange(answer.string('identity_assertion') ?? '');
      judge.table(late, { 'ended-by-one': refused });
    }
  },
});
