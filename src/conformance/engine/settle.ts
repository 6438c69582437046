import type { CheckResult, ScenarioResult, Status } from './model.ts';
import type { Scenario } from './scenario.ts';

/**
 * One cause, one finding: a check that is not right and rests on one that is not right either is skipped, and
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
    const cause = isWrong(check) ? rootOf(check.id, causes, wrong) : undefined;
    if (cause === undefined || cause.id === check.id) return check;
    return {
      ...check,
      status: 'skip',
      findings: [],
      moreFindings: 0,
      restsOn: cause.id,
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

/** On what each may rest. */
const BEARERS: Readonly<Record<Wrong, readonly Wrong[]>> = {
  fail: ['fail'],
  warn: ['fail', 'warn'],
  untestable: ['fail', 'warn', 'untestable'],
};

type WrongCheck = CheckResult & { readonly status: Wrong };

function isWrong(check: CheckResult): check is WrongCheck {
  return check.status !== 'pass' && check.status !== 'skip';
}

type Linked = Pick<Scenario<never>, 'id' | 'restsOn' | 'blockedBy'>;

/** The ids of what a check may rest on. */
type CausesOf = (check: WrongCheck) => readonly string[];

function causesOf(scenarios: readonly Linked[]): CausesOf {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  return ({ id, status }) => {
    const [scenario = '', name = ''] = id.split('.');
    const { restsOn = {}, blockedBy = [] } = byId.get(scenario) ?? {};
    const causes = [restsOn[name] ?? []].flat();
    return status === 'untestable' ? [...causes, ...blockedBy] : causes;
  };
}

/** The first wrong check that nothing else explains. A circle, which would be a defect, ends where it began. */
function rootOf(
  id: string,
  causes: CausesOf,
  wrong: ReadonlyMap<string, WrongCheck>,
  seen: ReadonlySet<string> = new Set([id]),
): WrongCheck | undefined {
  const check = wrong.get(id);
  const bears = (each: string) => {
    const bearer = wrong.get(each);
    return check && bearer && BEARERS[check.status].includes(bearer.status) && !seen.has(each);
  };
  const cause = check && causes(check).find(bears);
  return cause === undefined ? check : rootOf(cause, causes, wrong, new Set([...seen, cause]));
}
