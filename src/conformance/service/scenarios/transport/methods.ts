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
        judge.expect('refused', answer.refused || answer.status === 501, {
          expected: `${what} is refused`,
          seen: answer,
        });
        judge.expect('status', answer.status === 405, {
          expected: `405 for ${what}`,
          seen: answer,
          // Some routers know an address only together with its methods.
          warn: true,
        });
        if (answer.status !== 405) continue;
        judge.expect('allow', /\bPOST\b/.test(answer.header('allow') ?? ''), {
          expected: 'Allow with POST (RFC 9110 §15.5.6)',
          seen: `Allow: ${answer.header('allow') ?? 'none'}`,
          exchange: answer.exchange,
        });
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
