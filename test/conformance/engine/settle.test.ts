import { describe, expect, it } from 'vitest';
import { settle } from '../../../src/conformance/engine/settle.ts';
import type { CheckResult, ScenarioResult } from '../../../src/conformance/index.ts';
import { checkResult } from '../support/check-result.ts';

function scenario(id: string, checks: Readonly<Record<string, CheckResult['status']>>) {
  const results = Object.entries(checks).map(([name, status]) =>
    checkResult(`${id}.${name}`, status),
  );
  return { id, title: id, duration: 0, checks: results, exchanges: [] } satisfies ScenarioResult;
}

/** What became of the check `b.b`, which rests on `a.a`. */
function settled(cause: CheckResult['status'], resting: CheckResult['status']) {
  const results = [scenario('b', { b: resting }), scenario('a', { a: cause })];
  const rests = [{ id: 'a' }, { id: 'b', resting: { 'a.a': ['b'] } }];
  return settle(results, rests)[0]?.checks[0];
}

describe('a check that rests on another', () => {
  it('is skipped and names the one that failed, in whatever order they ran', () => {
    expect(settled('fail', 'fail')).toMatchObject({
      status: 'skip',
      restsOn: 'a.a',
      reason: 'It rests on a.a, which failed.',
      findings: [],
    });
    expect(settled('untestable', 'untestable')).toMatchObject({
      reason: 'It rests on a.a, which could not be judged.',
    });
  });

  it.each([
    ['pass', 'fail', 'fail'],
    ['skip', 'fail', 'fail'],
    ['warn', 'fail', 'fail'],
    ['untestable', 'fail', 'fail'],
    ['untestable', 'warn', 'warn'],
    ['warn', 'warn', 'skip'],
    ['fail', 'pass', 'pass'],
    ['fail', 'skip', 'skip'],
  ] as const)('hides behind nothing milder: cause %s, %s stays or becomes %s', (...row) => {
    const [cause, resting, becomes] = row;
    expect(settled(cause, resting)?.status).toBe(becomes);
  });

  it('names the first of a chain', () => {
    const results = [scenario('a', { a: 'fail', b: 'fail', c: 'fail' })];
    const [{ checks } = { checks: [] }] = settle(results, [
      { id: 'a', resting: { 'a.b': ['c'], 'x.y': ['b'], 'a.a': ['b'] } },
    ]);
    expect(checks.map(({ status, restsOn }) => [status, restsOn])).toEqual([
      ['fail', undefined],
      ['skip', 'a.a'],
      ['skip', 'a.a'],
    ]);
  });

  it.each(['fail', 'untestable'] as const)('hides nothing in a circle: %s', (status) => {
    const results = [scenario('a', { a: status, b: status, c: status })];
    const [{ checks } = { checks: [] }] = settle(results, [
      { id: 'a', resting: { 'a.a': ['a', 'b'], 'a.b': ['a', 'c'] } },
    ]);
    expect(checks.map((check) => check.status)).toEqual([status, status, 'skip']);
  });

  it('cannot hide a failure behind what only keeps its scenario from being judged', () => {
    const results = [scenario('a', { a: 'fail' }), scenario('b', { b: 'untestable', c: 'fail' })];
    const [, b] = settle(results, [{ id: 'a' }, { id: 'b', blockedBy: ['a.a'] }]);
    expect(b?.checks.map(({ status, restsOn }) => [status, restsOn])).toEqual([
      ['skip', 'a.a'],
      ['fail', undefined],
    ]);
  });
});
