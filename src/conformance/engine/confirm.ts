import type { CheckResult, ScenarioResult } from './model.ts';
import type { Scenario } from './scenario.ts';

/** A scenario that took longer is not repeated. Milliseconds. */
const QUICK = 5_000;

/** Whether a scenario is run once more before its red lines are kept. */
export function isWorthRepeating(
  { checks, duration, exchanges, died }: ScenarioResult,
  { costly }: Pick<Scenario<never>, 'costly'>,
): boolean {
  return (
    checks.some(({ status }) => status === 'fail') &&
    costly !== true &&
    died === undefined &&
    duration <= QUICK &&
    !exchanges.some(({ response }) => response?.status === 429)
  );
}

/** A check that failed, and passed on fresh state, only warns, and says so. */
export function confirm(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  const passedNow = new Set(
    second.checks.filter(({ status }) => status === 'pass').map(({ id }) => id),
  );
  const checks = first.checks.map((check) =>
    check.status === 'fail' && passedNow.has(check.id) ? unrepeatable(check) : check,
  );
  return { ...first, checks, duration: first.duration + second.duration };
}

function unrepeatable(check: CheckResult): CheckResult {
  const findings = check.findings.map((finding) => ({
    ...finding,
    seen: `Not repeatable, it was right when tried again: ${finding.seen}`,
  }));
  return { ...check, status: 'warn', findings };
}
