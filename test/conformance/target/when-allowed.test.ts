import { describe, expect, it } from 'vitest';
import { CannotTest, NeedsOption } from '../../../src/conformance/engine/judge.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';
import {
  limitedFor,
  retryAfter,
  whenAllowed,
} from '../../../src/conformance/target/when-allowed.ts';

const NOW = Date.UTC(2030, 0, 1);

function answered(status: number, after?: string, error?: string): Answer {
  const headers = after === undefined ? [] : [['retry-after', after] as const];
  return new Answer(status, headers, error ? JSON.stringify({ error }) : '', 1, 1);
}

/** Answers as listed, one after another; `waited` has what lay between. */
async function sendTo(answers: readonly Answer[], patience: number) {
  const waited: number[] = [];
  let sent = 0;
  const time = {
    patience,
    now: () => NOW,
    wait: async (ms: number) => void waited.push(ms),
  };
  const answer = await whenAllowed(time, async () => answers[sent++] ?? answered(500));
  return { status: answer.status, waited, sent };
}

describe('a request that was one too many', () => {
  it('is sent again after the seconds, or at the instant, that the answer names', async () => {
    const instant = new Date(NOW + 3000).toUTCString();
    const answers = [answered(429, '2'), answered(429, instant), answered(200)];
    expect(await sendTo(answers, 10_000)).toEqual({ status: 200, waited: [2000, 3000], sent: 3 });
  });

  it('is not waited for beyond the patience, in all', async () => {
    const again = [answered(429, '2'), answered(429, '2'), answered(200)];
    expect(await sendTo(again, 3000)).toEqual({ status: 429, waited: [2000], sent: 2 });
    expect(await sendTo([answered(429, '900')], 30_000)).toMatchObject({ status: 429, sent: 1 });
  });

  it('pauses where the answer names no time to wait', async () => {
    const answers = [answered(429, '0'), answered(200)];
    expect((await sendTo(answers, 10_000)).waited).toEqual([250]);
    expect(await sendTo([answered(429)], 10_000)).toMatchObject({ status: 429, sent: 1 });
  });

  it.each(['slow_down', 'too_many_attempts'])(
    'is not one that is answered %s: that is about its claim',
    async (code) => {
      expect(await sendTo([answered(429, '1', code)], 10_000)).toMatchObject({ sent: 1 });
    },
  );

  it('names the option that has it waited for', () => {
    expect(limitedFor(answered(429, '900'), 'service')).toEqual(
      new NeedsOption(
        'The service limits the rate (429), so what it refuses proves nothing. It asks to wait 15 minutes: pass --patience 15m, or lift its limits for this run.',
        '--patience 15m',
      ),
    );
    expect(limitedFor(answered(429), 'provider')).toBeInstanceOf(CannotTest);
  });

  it('has an instant that is over at once', () => {
    expect(retryAfter(answered(429, new Date(NOW - 5000).toUTCString()), NOW)).toBe(0);
  });
});
