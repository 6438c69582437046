import { judgeStalled } from '../../../target/bad-connections.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const trickle = serviceScenario({
  id: 'trickle',
  title: 'A connection that stalls in the middle of a request is closed',
  safe: true,
  checks: {
    head: 'A request whose header stalls is answered, or its connection is closed.',
    body: 'A request whose body stalls is answered, or its connection is closed.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const url = world.client.endpoint('identityEndpoint');
    await judgeStalled(judge, world, url, 'application/json');
  },
});
