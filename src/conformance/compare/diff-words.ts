import { SECTIONS } from '../engine/model.ts';
import { scoreText } from '../reporters/report-view.ts';
import type { PastReport } from './past-report.ts';
import type { AnswerChange, Change, CheckChange } from './report-diff.ts';

/** Each kind of change, as a heading. */
export const HEADINGS: Readonly<Record<Change, string>> = {
  worse: 'Worse: passed or only warned, and fails now or cannot be tested',
  weaker: 'Weaker: passed, and warns now',
  better: 'Better',
  unjudged: 'Not judged any more',
  judged: 'Judged now, and not before',
  new: 'New: checks that the first report does not have',
  gone: 'Gone: checks that the second report does not have',
};

/** `Does not conform. Protocol 90/91 · Standards 188/188 · Attacks 143/143`. */
export function standing({ outcome, sections, interrupted, selectedOnly }: PastReport): string {
  const words = {
    conforms: 'Conforms',
    conforms_but: 'Conforms but for known failures',
    does_not_conform: 'Does not conform',
    inconclusive: 'Inconclusive',
    unknown: 'Verdict unknown: a report of an earlier version',
  }[outcome ?? 'unknown'];
  const scores = SECTIONS.map((section) => {
    const score = sections?.[section];
    const name = `${section[0]?.toUpperCase()}${section.slice(1)}`;
    return `${name} ${score === undefined ? 'unknown' : scoreText(score)}`;
  });
  const only = selectedOnly ? ', of what was selected' : '';
  const until = interrupted ? ', until it was interrupted' : '';
  return `${words}${only}${until}. ${scores.join(' · ')}`;
}

/** `pass → fail`. */
export function turned({ a, b }: CheckChange): string {
  return `${a ?? 'none'} → ${b ?? 'none'}`;
}

/** `header cache-control`, `member claim_attempt.interval`, `status`. */
export function partOf({ of, part, name }: AnswerChange): string {
  const what = {
    step: 'request',
    status: 'status',
    header: `header ${name}`,
    member: `member ${name || '(the whole)'}`,
  }[part];
  return of === 'request' && part !== 'step' ? `sent ${what}` : what;
}

/** `53 times, first in anonymous, exchange 4`. */
export function whereOf({ count, first }: AnswerChange): string {
  const number = first.b ?? first.a;
  const place = `${first.scenario}${number === undefined ? '' : `, exchange ${number}`}`;
  return count === 1 ? `in ${place}` : `${count} times, first in ${place}`;
}

/** The differences by the request that they are about, in the order of the run. */
export function byRequest(
  answers: readonly AnswerChange[],
): ReadonlyMap<string, readonly AnswerChange[]> {
  const groups = new Map<string, AnswerChange[]>();
  for (const answer of answers) {
    const { request, elsewhere } = answer;
    const heading = elsewhere === undefined ? request : `${request}, in B ${elsewhere}`;
    groups.set(heading, [...(groups.get(heading) ?? []), answer]);
  }
  return groups;
}

/** The conclusion: a sentence. */
export function conclusion(checks: readonly CheckChange[]): string {
  const count = (change: Change) => checks.filter((check) => check.change === change).length;
  const [worse, better, weaker] = [count('worse'), count('better'), count('weaker')];
  const parts = [
    worse === 0 ? 'Nothing got worse' : `${worse} ${worse === 1 ? 'check' : 'checks'} got worse`,
    ...(weaker > 0 ? [`${weaker} weaker`] : []),
    ...(better > 0 ? [`${better} better`] : []),
  ];
  return `${parts.join(', ')}.`;
}
