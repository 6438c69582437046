import { header, matches, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

const OTHERS = ['GET', 'PUT'];

export const methods = serviceScenario({
  id: 'methods',
  title: 'POST endpoints take no other method',
  safe: true,
  checks: {
    refused: 'GET and PUT at an endpoint are answered with a 4xx status or 501.',
    status: 'GET and PUT at an endpoint are answered with 405.',
    allow: 'A 405 has POST in Allow.',
  },
  async run(judge, world) {
    for (const url of endpointsOf(world)) {
      const posted = await world.send(url, { method: 'POST' });
      for (const method of OTHERS) {
        const answer = await world.send(url, { method });
        const more = { case: `${method} ${new URL(url).pathname}` };
        judge.table(answer, { status: status(405) }, more);
        // Where POST gets the same answer, the method is not what was refused.
        const isRefused = answer.refused || answer.status === 501;
        if (!isRefused || answer.status !== posted.status) {
          judge.expect('refused', isRefused, answer, more);
        }
        if (answer.status !== 405) continue;
        judge.table(answer, { allow: header('Allow', matches(/\bPOST\b/)) }, more);
      }
    }
    judge.skip('refused', 'POST is answered like GET and PUT: the method is not what was refused.');
    judge.skip('allow', 'No endpoint answers another method with 405.');
  },
});

/** Every one that the metadata names. */
export function endpointsOf({ facts }: ServiceWorld): readonly string[] {
  return [
    facts.identityEndpoint,
    facts.claimEndpoint,
    facts.tokenEndpoint,
    facts.revocationEndpoint,
    facts.eventsEndpoint,
  ].filter((url) => url !== undefined);
}
