import type { CheckResult, UnjudgedStory } from './model.ts';

/** A story of a role's core: a run that did not judge it cannot say that the target conforms. */
export interface CoreStory {
  /** `a registration by email, claimed to its end`. */
  readonly story: string;
  /** The ids of the checks that have to be judged. */
  readonly checks: readonly string[];
  /** Everybody has to have it: that it is not offered is no excuse. */
  readonly required?: true;
}

/** The stories that were not judged. What the user deselected does not count, nor what the baseline lists. */
export function unjudgedStories(
  core: readonly CoreStory[],
  checks: readonly CheckResult[],
): readonly UnjudgedStory[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return core.flatMap(({ story, checks: ids, required }) => {
    const selected = ids
      .map((id) => byId.get(id))
      .filter((check) => check !== undefined && check.deselected !== true)
      .filter((check) => check !== undefined);
    const open = selected.find((check) => isOpen(check)) ?? notOffered(selected, required);
    if (open === undefined) return [];
    const { reason = 'It was not judged.', needs } = open;
    return [{ story, why: reason, ...(needs !== undefined && { option: needs }) }];
  });
}

/** A run that judged nothing at all says nothing, whatever was selected. */
export function nothingJudged(checks: readonly CheckResult[]): readonly UnjudgedStory[] {
  const asked = checks.filter(({ deselected }) => deselected !== true);
  const [first] = asked.filter(({ known }) => known === undefined);
  if (first === undefined || asked.some(isJudged)) return [];
  const { reason = 'It was not judged.', needs } = first;
  return [{ story: 'anything at all', why: reason, ...(needs !== undefined && { option: needs }) }];
}

function isJudged({ status }: CheckResult): boolean {
  return status !== 'skip' && status !== 'untestable';
}

function isOpen({ status, needs, known }: CheckResult): boolean {
  if (known !== undefined) return false;
  return status === 'untestable' || (status === 'skip' && needs !== undefined);
}

/** What rests on a failed check is told of by that one. */
function notOffered(
  selected: readonly CheckResult[],
  required: true | undefined,
): CheckResult | undefined {
  const isLeft = required === true && selected.every(({ status }) => status === 'skip');
  return isLeft
    ? selected.find(({ restsOn, known }) => restsOn === undefined && known === undefined)
    : undefined;
}
