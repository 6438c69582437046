import type { Answer } from '../../../http/answer.ts';
import type { ServiceWorld } from '../../../service/service-world.ts';
import { serviceScenario } from '../service-scenario.ts';

const LENGTH = 50_000;
/** Milliseconds that no answer to such a value may take beyond what a short one takes. */
const PATIENCE = 1000;

export const longValues = serviceScenario({
  id: 'long-values',
  title: 'Long values are answered as quickly as short ones',
  checks: {
    quick: 'No value takes long to be read only because it is long.',
    answered: 'A long value breaks nothing.',
  },
  async run(judge, world) {
    for (const [what, send] of requestsOf(world)) {
      const short = await send(10);
      const long = await send(LENGTH);
      judge.expect('answered', long.status < 500, {
        expected: `${what} of ${LENGTH} letters is taken or refused`,
        seen: long,
      });
      judge.expect('quick', long.duration < short.duration + PATIENCE, {
        expected: `${what} of ${LENGTH} letters is answered within a second`,
        seen: `It took ${long.duration} ms, and ${short.duration} ms for a short one.`,
        exchange: long.exchange,
      });
    }
  },
});

type Request = (length: number) => Promise<Answer>;

function requestsOf({ client }: ServiceWorld): readonly (readonly [what: string, Request])[] {
  return [
    ['an address', (length) => client.registerByEmail(`${'a.'.repeat(length / 2)}@example.com`)],
    ['an address of signs', (length) => client.registerByEmail('@'.repeat(length))],
    ['a scope', (length) => client.exchange('x', { scope: 'a '.repeat(length / 2) })],
    ['a word of a scope', (length) => client.exchange('x', { scope: 'a'.repeat(length) })],
    ['an assertion', (length) => client.exchange('a.'.repeat(length / 2))],
    ['a resource', (length) => client.exchange('x', { resource: `https://${'a'.repeat(length)}` })],
  ];
}
