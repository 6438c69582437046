import type { CheckResult, UnjudgedFlow } from './model.ts';

/** A flow of a role's core: a run that did not judge it cannot say that the target conforms. */
export interface CoreFlow {
  /** `a registration by email, claimed to its end`. */
  readonly story: string;
  /** The ids of the checks that have to be judged. */
  readonly checks: readonly string[];
  /** Everybody has to have it: that it is not offered is no excuse. */
  readonly required?: true;
  /** Unless one of these checks was judged, and nothing that is required: whoever does that offers another thing. */
  readonly orElse?: readonly string[];
}

/**
 * The flows that were not judged. What the user deselected does not count. A baseline lists what fails: that
 * it lists what could not be judged does not judge it.
 */
export function unjudgedFlows(
  core: readonly CoreFlow[],
  checks: readonly CheckResult[],
): readonly UnjudgedFlow[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const isOffered = core
    .filter((each) => each.required)
    .some((each) => each.checks.some((id) => isJudgedIn(byId, id)));
  return core.flatMap(({ story, checks: ids, orElse = [], required }) => {
    const selected = ids
      .map((id) => byId.get(id))
      .filter((check) => check !== undefined && check.deselected !== true)
      .filter((check) => check !== undefined);
    const [left] = selected.flatMap((check) => leftOpenBy(check, byId) ?? []);
    const isElsewhere = !isOffered && orElse.some((id) => isJudgedIn(byId, id));
    const open = left ?? (isElsewhere ? undefined : notOffered(selected, required));
    if (open === undefined) return [];
    const { reason = 'It was not judged.', needs } = open;
    return [{ story, why: reason, ...(needs !== undefined && { option: needs }) }];
  });
}

/** A run that judged nothing at all says nothing, whatever was selected. */
export function nothingJudged(checks: readonly CheckResult[]): readonly UnjudgedFlow[] {
  const asked = checks.filter(({ deselected }) => deselected !== true);
  const [first] = asked;
  if (first === undefined || asked.some(isJudged)) return [];
  const { reason = 'It was not judged.', needs } = first;
  return [{ story: 'anything at all', why: reason, ...(needs !== undefined && { option: needs }) }];
}

/** Whether the target was found right or wrong. */
export function isJudged({ status }: Pick<CheckResult, 'status'>): boolean {
  return status !== 'skip' && status !== 'untestable';
}

function isJudgedIn(byId: ReadonlyMap<string, CheckResult>, id: string): boolean {
  const check = byId.get(id);
  return check !== undefined && isJudged(check);
}

/**
 * The check that says why one was not judged: itself, or what it rests on. What failed was judged, and what it
 * takes along is told of by it.
 */
function leftOpenBy(
  check: CheckResult,
  byId: ReadonlyMap<string, CheckResult>,
  seen: ReadonlySet<string> = new Set(),
): CheckResult | undefined {
  const { id, status, needs, restsOn } = check;
  if (status === 'untestable' || (status === 'skip' && needs !== undefined)) return check;
  if (status !== 'skip' || restsOn === undefined || seen.has(id)) return undefined;
  const bearer = byId.get(restsOn);
  if (bearer?.status === 'fail') return undefined;
  return bearer?.status === 'skip' || bearer?.status === 'untestable'
    ? leftOpenBy(bearer, byId, new Set([...seen, id]))
    : check;
}

/** What rests on a failed check is told of by that one. */
function notOffered(
  selected: readonly CheckResult[],
  required: true | undefined,
): CheckResult | undefined {
  const isLeft = required === true && selected.every(({ status }) => status === 'skip');
  return isLeft ? selected.find(({ restsOn }) => restsOn === undefined) : undefined;
}
