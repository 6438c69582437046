import {
  type CheckResult,
  type Counts,
  LEVELS,
  type ScenarioResult,
  type Score,
  SECTIONS,
  STATUSES,
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

/** Neither what our wire contract alone asks for nor an option of a standard is owed to anybody. */
const isOwed = ({ level }: CheckResult) => level === 'must' || level === 'should';

function count(checks: readonly CheckResult[]): Counts {
  return Object.fromEntries(
    STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]),
  ) as Counts;
}

function score(checks: readonly CheckResult[]): Score {
  const judged = checks.filter(({ status }) => status !== 'skip');
  return { passed: judged.filter(({ status }) => status === 'pass').length, judged: judged.length };
}
