import { judgeStaysUp, STAYS_UP } from '../../engine/stays-up.ts';
import { providerScenario } from '../provider-world.ts';

export const providerStaysUp = providerScenario({
  ...STAYS_UP,
  id: 'provider-stays-up',
  run: (judge, world) =>
    judgeStaysUp(judge, world.deaths, () => world.send(world.facts.metadataUrl)),
});
