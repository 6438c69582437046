import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

const OTHERS = ['GET', 'PUT'];

export const methods = serviceScenario({
  id: 'methods',
  title: 'Endpoints that take POST take no other method',
  safe: true,
  checks: {
    refused: 'Another method at an endpoint is refused, and breaks nothing.',
    status: 'It is answered with 405.',
    allow: 'A 405 says in Allow that POST is taken.',
  },
  async run(judge, world) {
    for (const url of endpointsOf(world)) {
      for (const method of OTHERS) {
        const answer = await world.send(url, { method });
        const what = `${method} ${new URL(url).pathname}`;
        judge.expect('refused', answer.refused || answer.status === 501, answer, {
          expected: `${what} is refused`,
        });
        judge.expect(
          'status',
          answer.status === 405,
          // Some routers know an address only together with its methods.
          answer,
          { expected: `405 for ${what}`, warn: true },
        );
        if (answer.status !== 405) continue;
        judge.expect(
          'allow',
          /\bPOST\b/.test(answer.header('allow') ?? ''),
          `Allow: ${answer.header('allow') ?? 'none'}`,
          { exchange: answer.exchange },
        );
      }
    }
  },
});

function endpointsOf({ facts }: ServiceWorld): readonly string[] {
  return [
    facts.identityEndpoint,
    facts.claimEndpoint,
    facts.tokenEndpoint,
    facts.revocationEndpoint,
    facts.eventsEndpoint,
  ].filter((url) => url !== undefined);
}
