import { buildReport } from '../../../src/conformance/engine/report.ts';
import {
  type JudgeServiceOptions,
  type Report,
  SERVICE_SCENARIOS,
} from '../../../src/conformance/index.ts';
import { SERVICE_CORE } from '../../../src/conformance/service/core.ts';
import type { RunningService, ServiceOptions } from '../services/support.ts';
import { judgeRunning } from '../support/judge-running.ts';
import { SEED } from '../support/seed.ts';

/** A service of `test/conformance/services`, and how its developer would have it judged. */
export interface Judged {
  readonly start: (options: ServiceOptions) => Promise<RunningService>;
  /** Milliseconds that are waited in all for one thing. Default: as long as it takes, on the shared clock. */
  readonly patience?: number;
  /** What else its developer gives by options. */
  readonly options?: Partial<JudgeServiceOptions>;
}

/** What the suite says of a service. */
export interface Judgement {
  /** The check of the first entry under the verdict, unless that is a warning. */
  readonly first: string | undefined;
  /** Ids of checks, each in one order. */
  readonly failed: readonly string[];
  readonly untestable: readonly string[];
  readonly warned: readonly string[];
  readonly report: Report;
}

/** Judges a service, right or with one bug, by some scenarios or by all. */
export async function judge(
  { start, patience, options }: Judged,
  bug?: string,
  some?: JudgeServiceOptions['scenarios'],
): Promise<Judgement> {
  const scenarios = await judgeRunning(
    (given) => start({ ...given, ...(bug !== undefined && { bug }) }),
    patience,
    // What one scenario finds, its first run finds. That a run repeats what failed, literal-services.test.ts goes through.
    { ...options, ...(some && { scenarios: some, repeat: false }) },
  );
  const run = { version: '0', target: 'test', startedAt: 0, duration: 0, seed: SEED };
  const report = buildReport({ ...run, role: 'service', scenarios, core: SERVICE_CORE });
  const worst = report.causes.find(({ status }) => status === 'fail');
  const withStatus = (wanted: string) =>
    scenarios
      .flatMap(({ checks }) => checks)
      .flatMap(({ id, status }) => (status === wanted ? [id] : []))
      .toSorted();
  return {
    first: worst?.checks[0],
    failed: withStatus('fail'),
    untestable: withStatus('untestable'),
    warned: withStatus('warn'),
    report,
  };
}

/** The scenarios in which checks are. @throws Error where one is nowhere. */
export function scenariosOf(
  ...checks: readonly string[]
): NonNullable<JudgeServiceOptions['scenarios']> {
  return checks.map((check) => {
    const [id] = check.split('.');
    const scenario = SERVICE_SCENARIOS.find((each) => each.id === id);
    if (scenario === undefined) throw new Error(`no scenario of a service has ${check}`);
    return scenario;
  });
}
