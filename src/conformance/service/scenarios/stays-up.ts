import { judgeStaysUp, STAYS_UP } from '../../engine/death-watch.ts';
import { serviceScenario } from '../service-world.ts';

export const staysUp = serviceScenario({
  ...STAYS_UP,
  id: 'stays-up',
  run: (judge, world) => judgeStaysUp(judge, world.deaths, () => world.send(world.facts.issuer)),
});
