import { describe, expect, it } from 'vitest';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { answers } from '../../../src/conformance/target/answers.ts';

/** Each request ends as the next one of these; the last one repeats. */
function target(...ends: readonly (NoAnswer['kind'] | 'answer')[]) {
  let asked = 0;
  return () => {
    const end = ends[Math.min(asked, ends.length - 1)];
    asked += 1;
    return end === undefined || end === 'answer'
      ? Promise.resolve()
      : Promise.reject(new NoAnswer(end, `It is ${end}.`));
  };
}

describe('a target that did not answer', () => {
  it.each([
    ['answers', ['answer'], true],
    ['closed a connection that it had kept open', ['broken', 'answer'], true],
    ['takes too long', ['timeout'], true],
    ['closes each connection', ['broken'], false],
    ['does not listen', ['refused'], false],
  ] as const)('that %s: lives or is dead', async (_what, ends, lives) => {
    expect(await answers(target(...ends), 'http://127.0.0.1:1')).toBe(lives);
  });
});
