import {
  type CheckResult,
  type Counts,
  LEVELS,
  type ScenarioResult,
  STATUSES,
  type Summary,
} from './model.ts';

/** Counts the results of a run, in all and by level. */
export function summarize(scenarios: readonly Pick<ScenarioResult, 'checks'>[]): Summary {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const byLevel = Object.fromEntries(
    LEVELS.map((level) => [level, count(checks.filter((check) => check.level === level))]),
  ) as Summary['byLevel'];
  return { checks: count(checks), byLevel };
}

function count(checks: readonly CheckResult[]): Counts {
  return Object.fromEntries(
    STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]),
  ) as Counts;
}

/** Whether a check makes its run fail: a must is broken, or it could not be tested. */
export function isRed({ status }: Pick<CheckResult, 'status'>): boolean {
  return status === 'fail' || status === 'untestable';
}
