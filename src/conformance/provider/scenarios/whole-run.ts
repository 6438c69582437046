import { judgeStaysUp, STAYS_UP } from '../../engine/death-watch.ts';
import { NotApplicable } from '../../engine/judge.ts';
import { providerScenario } from '../provider-world.ts';

export const mintedAudiences = providerScenario({
  id: 'minted-audiences',
  title: 'Every ID-JAG of the run is for the service that it was asked for',
  checks: {
    one: 'Whatever else a mint asks for or its user agreed to, aud is the one service that was asked for.',
  },
  safe: true,
  costly: true,
  // It sends nothing: it tells what the other scenarios were given.
  evenWhenGone: true,
  resting: { 'mint.audience': ['one'], 'idp-exchange.audience': ['one'] },
  async run(judge, { audiences, recorder }) {
    if (audiences.count === 0) throw new NotApplicable('No ID-JAG was minted.');
    for (const { request, seen } of audiences.wrong) {
      judge.expect('one', false, seen, {
        exchange: request && recorder.keep(request, 'Its answer was an ID-JAG with another aud.'),
      });
    }
    if (audiences.wrong.length === 0) judge.expect('one', true, '');
  },
});

export const providerStaysUp = providerScenario({
  ...STAYS_UP,
  id: 'provider-stays-up',
  run: (judge, world) =>
    judgeStaysUp(judge, world.deaths, () => world.send(world.facts.metadataUrl)),
});
