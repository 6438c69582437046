import { expect, it } from 'vitest';
import type { Bug } from '../services/bug.ts';
import { type Judged, judge, scenariosOf } from './judge.ts';

/**
 * What the suite says of a bug. `finds`: the check of the first entry of its first screen; with `beside` checks of other
 * scenarios that rest on it, where another one comes first in a run of its scenario alone. `warns`: nothing
 * fails, and this check warns that does not warn of the right service. `unseen`: why nobody can see the bug
 * from outside; then nothing fails.
 */
export type Outcome =
  | { readonly finds: string; readonly beside: readonly string[] }
  | { readonly finds: string }
  | { readonly warns: string }
  | { readonly unseen: string };

/** Bug → what the suite says. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/**
 * Judges a right service by every scenario: nothing fails, everything is judged, and it is warned of what is
 * listed, with the reason why that is a warning, and of nothing else.
 */
export function itIsRight(judged: Judged, warnings: Readonly<Record<string, string>>): void {
  it('fails nothing, and is warned of what it lacks alone', async () => {
    const { failed, untestable, warned, report } = await judge(judged);
    expect(failed).toEqual([]);
    expect(untestable).toEqual([]);
    expect(warned).toEqual(Object.keys(warnings).toSorted());
    expect(report.verdict).toMatchObject({ outcome: 'conforms', unjudged: [] });
  });
}

/**
 * Judges a service with each of its bugs alone, by the scenario in which it is found, or where JUDGE_WHOLE is set by
 * every scenario, as its developer would. `warnings` are those of the right one.
 */
export function itShowsBugs(
  judged: Judged,
  bugs: readonly Bug[],
  outcomes: Outcomes,
  warnings: Readonly<Record<string, string>>,
): void {
  it.each(bugs)('sees $id', async ({ id }) => {
    const outcome = outcomes[id];
    if (outcome === undefined) throw new Error(`nobody says what is found of ${id}`);
    const { first, failed, warned } = await judge(judged, id, scenariosFor(outcome));
    const said = `failed: ${failed.join(', ')}; warned: ${warned.filter((each) => !(each in warnings)).join(', ')}`;
    if ('finds' in outcome) {
      expect(first, said).toBe(outcome.finds);
      return;
    }
    expect(failed).toEqual([]);
    if ('warns' in outcome) {
      expect(Object.keys(warnings)).not.toContain(outcome.warns);
      expect(warned, said).toContain(outcome.warns);
    }
  });
}

/** All where nobody can see the bug: then none of them may fail. */
function scenariosFor(outcome: Outcome): ReturnType<typeof scenariosOf> | undefined {
  const check = 'finds' in outcome ? outcome.finds : 'warns' in outcome ? outcome.warns : undefined;
  if (check === undefined || process.env['JUDGE_WHOLE'] !== undefined) return undefined;
  return scenariosOf(check, ...('beside' in outcome ? outcome.beside : []));
}
