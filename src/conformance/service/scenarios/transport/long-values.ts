import type { Answer } from '../../../http/answer.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { isMuchSlower } from '../../steps/response-time.ts';

const SHORT = 10;
const LENGTH = 30_000;
/** A busy machine is slow by chance: one of so many pairs has to be quick. */
const TRIES = 3;

export const longValues = serviceScenario({
  id: 'long-values',
  title: 'Long values are answered as quickly as short ones',
  checks: {
    quick: 'A long value is answered about as quickly as a short one.',
    answered: 'A long value is taken or refused, never answered 5xx.',
  },
  costly: true,
  dangerous: true,
  async run(judge, world) {
    // What is refused at once is not slow.
    await mustTakeRegistrations(world);
    for (const [what, send] of requestsOf(world)) {
      const odd = `${what} of ${LENGTH} letters`;
      const sendOddly = () => world.recorder.oddly(odd, () => sendBoth(send));
      let pair = await sendOddly();
      for (let tries = 1; tries < TRIES && isSlow(pair) && pair.long !== undefined; tries += 1) {
        pair = await sendOddly();
      }
      const { short, long } = pair;
      const more = { case: odd, exchange: long?.exchange };
      if (long !== undefined) judge.expect('answered', long.status < 500, long, more);
      const time = long === undefined ? 'no answer in time' : `${long.duration} ms`;
      judge.expect(
        'quick',
        !isSlow(pair),
        `${time}, but ${short.duration} ms for ${SHORT} letters`,
        more,
      );
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
    ['an email', (length) => client.registerByEmail(`${'a.'.repeat(length / 2)}@example.com`)],
    ['an email of at signs', (length) => client.registerByEmail('@'.repeat(length))],
    ['a scope', (length) => client.exchange('x', { scope: 'a '.repeat(length / 2) })],
    ['a word of a scope', (length) => client.exchange('x', { scope: 'a'.repeat(length) })],
    ['an assertion', (length) => client.exchange('a.'.repeat(length / 2))],
    ['a resource', (length) => client.exchange('x', { resource: `https://${'a'.repeat(length)}` })],
  ];
}
