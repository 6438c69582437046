import type { Answer } from '../../../http/answer.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isMuchSlower } from '../../steps/response-time.ts';

const SHORT = 10;
const LENGTH = 30_000;
/** A machine that is busy is slow by chance: of so many pairs one has to be quick. */
const TRIES = 3;

export const longValues = serviceScenario({
  id: 'long-values',
  title: 'Long values are answered as quickly as short ones',
  checks: {
    quick: 'No value takes long to be read only because it is long.',
    answered: 'A long value breaks nothing.',
  },
  async run(judge, world) {
    for (const [what, send] of requestsOf(world)) {
      let pair = await sendBoth(send);
      for (let tries = 1; tries < TRIES && isSlow(pair) && pair.long !== undefined; tries += 1) {
        pair = await sendBoth(send);
      }
      const { short, long } = pair;
      if (long !== undefined) {
        judge.expect('answered', long.status < 500, long, {
          expected: `${what} of ${LENGTH} letters is taken or refused`,
        });
      }
      const time = long === undefined ? 'It had no answer in time' : `It took ${long.duration} ms`;
      judge.expect('quick', !isSlow(pair), `${time}, and ${short.duration} ms for a short one.`, {
        expected: `${what} of ${LENGTH} letters is answered about as quickly as a short one`,
        exchange: long?.exchange,
      });
    }
  },
});

type Request = (length: number) => Promise<Answer>;

interface Pair {
  readonly short: Answer;
  /** Absent when it had no answer in time, unlike the short one. */
  readonly long: Answer | undefined;
}

async function sendBoth(send: Request): Promise<Pair> {
  const short = await send(SHORT);
  try {
    return { short, long: await send(LENGTH) };
  } catch (error) {
    if (error instanceof NoAnswer && error.kind === 'timeout') return { short, long: undefined };
    throw error;
  }
}

function isSlow({ short, long }: Pair): boolean {
  return long === undefined || isMuchSlower(long, short);
}

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
