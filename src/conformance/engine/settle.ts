import type { CheckResult, ScenarioResult, Status } from './model.ts';
import type { Scenario } from './scenario.ts';

/**
 * Leaves one finding of a cause: a check that is not right and rests on one that is not right either is skipped, and
 * names it. Nothing hides behind what is milder: a failure rests on failures alone.
 */
export function settle(
  results: readonly ScenarioResult[],
  scenarios: readonly Linked[],
): readonly ScenarioResult[] {
  const causes = causesOf(scenarios);
  const wrong = new Map(
    results.flatMap(({ checks }) => checks.filter(isWrong).map((check) => [check.id, check])),
  );
  const settled = (check: CheckResult): CheckResult => {
    if (!isWrong(check)) return check;
    const cause = rootOf(check.id, causes, wrong);
    if (cause === undefined || cause.id === check.id) return check;
    return {
      ...check,
      status: 'skip',
      findings: [],
      moreFindings: 0,
      restsOn: cause.id,
      ownStatus: check.status,
      reason: `It rests on ${cause.id}, which ${ENDED[cause.status]}.`,
    };
  };
  return results.map((result) => ({ ...result, checks: result.checks.map(settled) }));
}

type Wrong = Exclude<Status, 'pass' | 'skip'>;

const ENDED: Readonly<Record<Wrong, string>> = {
  fail: 'failed',
  warn: 'warned',
  untestable: 'could not be judged',
};

/** What each may rest on. */
const BEARERS: Readonly<Record<Wrong, readonly Wrong[]>> = {
  fail: ['fail'],
  warn: ['fail', 'warn'],
  untestable: ['fail', 'warn', 'untestable'],
};

type WrongCheck = CheckResult & { readonly status: Wrong };

function isWrong(check: CheckResult): check is WrongCheck {
  return check.status !== 'pass' && check.status !== 'skip';
}

type Linked = Pick<Scenario<never>, 'id' | 'resting' | 'blockedBy'>;

/** The ids of what a check may rest on. */
type CausesOf = (check: WrongCheck) => readonly string[];

function causesOf(scenarios: readonly Linked[]): CausesOf {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  return ({ id, status }) => {
    const [scenario = '', name = ''] = id.split('.');
    const { resting = {}, blockedBy = [] } = byId.get(scenario) ?? {};
    const causes = Object.keys(resting).filter((cause) => resting[cause]?.includes(name));
    return status === 'untestable' ? [...causes, ...blockedBy] : causes;
  };
}

/**
 * The first wrong check that nothing else explains; itself where it stands in a circle: each of two checks that
 * rest on one another would hide the other.
 */
function rootOf(
  id: string,
  causes: CausesOf,
  wrong: ReadonlyMap<string, WrongCheck>,
): WrongCheck | undefined {
  const seen = new Set<string>();
  let root = wrong.get(id);
  for (let next = root; next !== undefined && !seen.has(next.id); ) {
    root = next;
    seen.add(next.id);
    const { status } = next;
    const bearer = causes(next)
      .filter((each) => each !== root?.id)
      .map((each) => wrong.get(each))
      .find((each) => each !== undefined && BEARERS[status].includes(each.status));
    if (bearer?.id === id) return bearer;
    next = bearer;
  }
  return root;
}
