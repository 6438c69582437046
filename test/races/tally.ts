import { expect } from 'vitest';
import type { Received } from './replicas.ts';

/** Of each race. */
export const AT_ONCE = 100;

/** So many of the same, in an array. */
export function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** How many of the many are answered before the few are sent: another number each time. */
const HEAD_STARTS = [1, 0, 5, 2, 20, 10, 40];
let races = 0;

/** Two kinds of requests at once: the few come in the midst of the many. */
export async function mixed<Few, Many>(
  few: readonly (() => Promise<Few>)[],
  many: readonly (() => Promise<Many>)[],
): Promise<readonly [readonly Few[], readonly Many[]]> {
  // No more than there are: else the few would never be sent.
  const headStart = Math.min(HEAD_STARTS[races++ % HEAD_STARTS.length] ?? 0, many.length);
  let answered = 0;
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  if (headStart === 0) start();
  const manyAnswers = many.map(async (send) => {
    try {
      return await send();
    } finally {
      // One that fails counts too; it is told by `Promise.all` below.
      answered += 1;
      if (answered === headStart) start();
    }
  });
  await started;
  return [await Promise.all(few.map((send) => send())), await Promise.all(manyAnswers)];
}

/** How many answers there are of each kind: `200`, or `400 replay_detected`. */
export function tally(answers: readonly Received[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { body, status } of answers) {
    const kind = body['error'] === undefined ? `${status}` : `${status} ${String(body['error'])}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The answers of one status. */
export function having(status: number, answers: readonly Received[]): readonly Received[] {
  return answers.filter((answer) => answer.status === status);
}

/** Sent on its own, and taken. */
export async function taken(answer: Promise<Received>): Promise<Received> {
  const received = await answer;
  expect([received.status, received.text]).toEqual([200, expect.anything()]);
  return received;
}
