import { describe, expect, it } from 'vitest';
import { CannotTest } from '../../../../src/conformance/engine/judge.ts';
import { Answer } from '../../../../src/conformance/http/answer.ts';
import { notLimited } from '../../../../src/conformance/service/steps/answers.ts';

const answered = (status: number) => new Answer(status, [], '', 1, 1);

describe('a service that limits the rate of requests', () => {
  it('does not pass for one that refused what was wrong', () => {
    expect(() => notLimited(answered(429))).toThrow(CannotTest);
    expect(notLimited(answered(400)).refused).toBe(true);
  });
});
