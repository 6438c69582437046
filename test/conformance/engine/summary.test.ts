import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/conformance/engine/report.ts';
import { settle } from '../../../src/conformance/engine/settle.ts';
import type { CheckResult, ScenarioResult, Section } from '../../../src/conformance/index.ts';
import { checkResult } from '../support/check-result.ts';

const scenario = (id: string, checks: readonly CheckResult[]): ScenarioResult => ({
  ...{ id, title: id, duration: 0, exchanges: [], checks },
});

const RESTS = [
  { id: 'a' },
  {
    id: 'b',
    resting: { 'a.failed': ['failed'], 'a.untestable': ['untestable'], 'a.warned': ['warned'] },
  },
];

/** What counts of `b`, whose checks are of the protocol and rest on `a`, where these sections are run. */
function scoreWith(...sections: readonly Section[]) {
  const of = (section: Section) => ({ section });
  const all = [
    scenario('a', [
      checkResult('a.failed', 'fail', of('standards')),
      checkResult('a.warned', 'warn', of('standards')),
      checkResult('a.untestable', 'untestable', of('standards')),
    ]),
    scenario('b', [
      checkResult('b.passed', 'pass', of('protocol')),
      checkResult('b.failed', 'fail', of('protocol')),
      checkResult('b.warned', 'warn', of('protocol')),
      checkResult('b.untestable', 'untestable', of('protocol')),
      checkResult('b.skipped', 'skip', of('protocol')),
      checkResult('b.option', 'pass', { ...of('protocol'), level: 'may' }),
    ]),
  ];
  const run = all.map((each) => ({
    ...each,
    checks: each.checks.filter(({ section }) => sections.includes(section)),
  }));
  return summarize(settle(run, RESTS)).sections.protocol;
}

describe('a score', () => {
  it('counted what could not be judged as judged, and as not passed', () => {
    const wrong = Array.from({ length: 32 }, (_, n) => checkResult(`c.${n}`, 'untestable'));
    const { sections } = summarize([scenario('c', [checkResult('c.good', 'pass'), ...wrong])]);
    expect(sections.standards).toEqual({ passed: 1, judged: 1, untestable: 32 });
  });

  it('had another denominator where the section was run alone', () => {
    const alone = scoreWith('protocol');
    expect(alone).toEqual({ passed: 1, judged: 3, untestable: 1 });
    expect(scoreWith('protocol', 'standards')).toEqual(alone);
  });
});
