import type { Baseline } from './baseline.ts';
import { causesOf } from './causes.ts';
import type { CoreFlow } from './core.ts';
import {
  type CheckResult,
  type Counts,
  LEVELS,
  type Report,
  type ScenarioResult,
  type Score,
  SECTIONS,
  STATUSES,
  type Status,
  type Summary,
} from './model.ts';
import { type EarlierReport, sinceReport } from './since.ts';
import { verdictOf } from './verdict.ts';

interface RunFacts extends Pick<Report, 'version' | 'role' | 'target' | 'duration' | 'seed'> {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly dialect?: string | undefined;
  readonly scenarios: readonly ScenarioResult[];
  readonly core: readonly CoreFlow[];
  /** The program as whoever reads it types it. Default: `agent-auth`. */
  readonly program?: string;
  /** The words that were typed after it: see the causes. */
  readonly typed?: readonly string[] | undefined;
  readonly baseline?: Baseline | undefined;
  /** What the run is compared with. */
  readonly earlier?: EarlierReport | undefined;
  /** The user left something out. Default: no. */
  readonly selectedOnly?: boolean;
  /** Default: no. */
  readonly interrupted?: boolean;
}

/** The report of a run. */
export function buildReport({
  startedAt,
  core,
  program = 'agent-auth',
  typed,
  baseline,
  earlier,
  selectedOnly = false,
  interrupted = false,
  ...facts
}: RunFacts): Report {
  const scenarios = markKnown(facts.scenarios, baseline);
  const verdict = verdictOf({ scenarios, core, selectedOnly, interrupted });
  return {
    schema: 'agent-auth.conformance/1',
    version: facts.version,
    role: facts.role,
    target: facts.target,
    ...(facts.dialect !== undefined && { dialect: facts.dialect }),
    startedAt: new Date(startedAt).toISOString(),
    duration: facts.duration,
    seed: facts.seed,
    verdict,
    summary: summarize(scenarios),
    ...(earlier && { since: sinceReport(earlier, scenarios) }),
    causes: causesOf({ ...facts, program, typed, scenarios, verdict }),
    scenarios,
  };
}

/** Marks the checks that the baseline lists. */
function markKnown(
  scenarios: readonly ScenarioResult[],
  baseline: Baseline | undefined,
): readonly ScenarioResult[] {
  if (baseline === undefined) return scenarios;
  const reasons = new Map(baseline.known.map(({ check, reason = '' }) => [check, reason]));
  return scenarios.map((scenario) => ({
    ...scenario,
    checks: scenario.checks.map((check) => {
      const known = reasons.get(check.id);
      return known === undefined ? check : { ...check, known };
    }),
  }));
}

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
const isOwed = ({ level }: { readonly level: string }) => level === 'must' || level === 'should';

function count(checks: readonly CheckResult[]): Counts {
  return Object.fromEntries(
    STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]),
  ) as Counts;
}

/** The score of checks that are owed. */
function score(checks: readonly Pick<CheckResult, 'status' | 'ownStatus'>[]): Score {
  const count = (...statuses: readonly Status[]) =>
    checks.filter(({ status, ownStatus = status }) => statuses.includes(ownStatus)).length;
  return {
    passed: count('pass'),
    judged: count('pass', 'fail', 'warn'),
    untestable: count('untestable'),
  };
}
