import {
  type CheckResult,
  type Counts,
  LEVELS,
  type ScenarioResult,
  type Score,
  SECTIONS,
  STATUSES,
  type Status,
  type Summary,
} from './model.ts';

/** Counts the results of a run, in all, by level, and as a score for each section. */
export function summarize(scenarios: readonly Pick<ScenarioResult, 'checks'>[]): Summary {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const byLevel = Object.fromEntries(
    LEVELS.map((level) => [level, count(checks.filter((check) => check.level === level))]),
  ) as Summary['byLevel'];
  const sections = Object.fromEntries(
    SECTIONS.map((section) => [
      section,
      score(checks.filter((check) => check.section === section && isOwed(check))),
    ]),
  ) as Summary['sections'];
  return { checks: count(checks), byLevel, sections };
}

/** An option of a standard is owed to nobody. */
export const isOwed = ({ level }: { readonly level: string }) =>
  level === 'must' || level === 'should';

function count(checks: readonly CheckResult[]): Counts {
  return Object.fromEntries(
    STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]),
  ) as Counts;
}

/** The score of checks that are owed. */
export function score(checks: readonly Pick<CheckResult, 'status' | 'ownStatus'>[]): Score {
  const count = (...statuses: readonly Status[]) =>
    checks.filter(({ status, ownStatus = status }) => statuses.includes(ownStatus)).length;
  return {
    passed: count('pass'),
    judged: count('pass', 'fail', 'warn'),
    untestable: count('untestable'),
  };
}
