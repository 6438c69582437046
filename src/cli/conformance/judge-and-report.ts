import type { ScenarioOutline } from '../../conformance/all-scenarios.ts';
import {
  type Baseline,
  judgeAgainst,
  readBaseline,
  writeBaseline,
} from '../../conformance/engine/baseline.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { drawSeed } from '../../conformance/engine/invented.ts';
import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Level, Report, Role, ScenarioResult } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { buildReport } from '../../conformance/engine/report.ts';
import type { Progress } from '../../conformance/engine/runner.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { type Selection, selects } from '../../conformance/engine/selection.ts';
import { NoAnswer } from '../../conformance/http/no-answer.ts';
import { BadTarget } from '../../conformance/target/bad-target.ts';
import { displayText } from '../../protocol/text.ts';
import { nearest } from '../../runtime/nearest.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { readVersion } from '../shell/version.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';
import { readReportOutputs, writeReports } from './report-outputs.ts';
import { showProgress } from './show-progress.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** What `conformance service`, `agent` and `provider` take alike: what is judged, and how it is reported. */
export interface ReportOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: Level;
  readonly seed?: number;
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly report?: readonly string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly verbose?: true;
}

/** What a run needs of the program, whoever is judged. */
export interface JudgeRun {
  readonly catalog: Catalog;
  readonly selection: Selection;
  readonly seed: number;
  /** Has to be called before each scenario: it throws when the user pressed Ctrl-C. */
  readonly onProgress: (progress: Progress) => void;
  /** Aborted by Ctrl-C: for what can end sooner than before the next scenario. */
  readonly signal: AbortSignal;
  /** Prints something for the user above the line of progress. */
  readonly show: (print: () => void) => void;
}

export interface Judging {
  readonly role: Role;
  /** A URL, or a command line. */
  readonly target: string;
  /** Those that may run: `--only` and `--skip` have to name some of them. */
  readonly scenarios: readonly ScenarioOutline[];
  /** Only scenarios that create nothing. */
  readonly safe?: boolean;
  /** @throws BadTarget when there is nothing to judge. */
  judge(run: JudgeRun): Promise<readonly ScenarioResult[]>;
}

/**
 * Judges and writes the reports. `failed`: a must is broken or something could not be tested; `stale`: the
 * baseline lists a check that passes now.
 */
export async function judgeAndReport(
  context: Context,
  options: ReportOptions,
  judging: Judging,
): Promise<Outcome> {
  const { clock, random } = context.world;
  const outputs = readReportOutputs(context, options.report ?? []);
  const selection = readSelection(options, judging);
  const baseline =
    options.baseline === undefined
      ? undefined
      : await openBaseline(options.baseline, context.interrupt.signal);
  if (options.writeBaseline !== undefined) checkWritable(options.writeBaseline);
  if (baseline !== undefined && baseline.role !== judging.role) {
    throw usageError(
      `The baseline ${options.baseline} is for a ${baseline.role}, not for a ${judging.role}.`,
      {
        code: 'bad_baseline',
      },
    );
  }
  const seed = options.seed ?? drawSeed(random);
  const startedAt = clock.now();
  const scenarios = await judgeWithProgress(context, judging, { selection, seed });
  const report = buildReport({
    version: readVersion(),
    role: judging.role,
    target: judging.target,
    startedAt,
    duration: clock.now() - startedAt,
    seed,
    scenarios,
  });
  writeReports(context, report, outputs, options.verbose === true);
  if (options.writeBaseline !== undefined) {
    writeText(options.writeBaseline, writeBaseline(report));
    if (baseline === undefined) return 'done';
  }
  return verdictOf(context, report, baseline);
}

/**
 * What `--only`, `--skip`, `--level` and `--safe` select.
 * @throws CliError (usage) for a name that matches nothing: a run without checks would pass.
 */
function readSelection(
  { only, skip, level }: ReportOptions,
  { role, scenarios, safe }: Judging,
): Selection {
  for (const [flag, patterns] of Object.entries({ only, skip })) {
    for (const pattern of patterns ?? []) {
      if (!namesSome(pattern, scenarios)) {
        const near = nearest(
          pattern,
          scenarios.flatMap((each) => [each.id, ...checkIds(each)]),
        );
        throw usageError(`--${flag} ${pattern} matches no scenario and no check of a ${role}.`, {
          code: 'unknown_check',
          hint:
            (near === undefined ? '' : `Did you mean ${near}? `) +
            `See: agent-auth conformance list --role ${role}`,
        });
      }
    }
  }
  return {
    ...(only && { only }),
    ...(skip && { skip }),
    ...(level && { level }),
    ...(safe !== undefined && { safe }),
  };
}

function namesSome(pattern: string, scenarios: readonly ScenarioOutline[]): boolean {
  return scenarios.some((scenario) =>
    checkIds(scenario).some((id) =>
      selects({ only: [pattern] }, { id, scenario: scenario.id, level: 'must' }),
    ),
  );
}

async function judgeWithProgress(
  context: Context,
  judging: Judging,
  chosen: Pick<JudgeRun, 'selection' | 'seed'>,
): Promise<readonly ScenarioResult[]> {
  const catalog = new Catalog(readRequirements());
  const { signal } = context.interrupt;
  const progress = await showProgress(context, judging.target);
  try {
    return await untilInterrupted(signal, () =>
      judging.judge({
        ...chosen,
        catalog,
        signal,
        show: progress.show,
        onProgress: (step) => {
          signal.throwIfAborted();
          progress.onProgress(step);
        },
      }),
    );
  } catch (error) {
    const { target } = judging;
    const next = URL.canParse(target) ? nextLine(context, 'doctor', target) : undefined;
    throw explainRun(error, next);
  } finally {
    progress.stop();
  }
}

/** An error that stops a run before anything was judged. */
function explainRun(error: unknown, next: Next | undefined): unknown {
  if (error instanceof BadTarget && error.kind === 'not_a_peer') {
    return new CliError('failed', {
      code: 'bad_target',
      message: displayText(error.message),
      next,
    });
  }
  if (error instanceof BadTarget || error instanceof NoAnswer) {
    const message = displayText(error.message);
    return new CliError('network', { code: 'target_unreachable', message, next });
  }
  if (error instanceof CannotTest) {
    return new CliError('failed', {
      code: 'cannot_test',
      message: displayText(error.message),
      next,
    });
  }
  return error;
}

async function openBaseline(path: string, signal: AbortSignal): Promise<Baseline> {
  const text = (await readNamedFile(path, signal)).toString('utf8');
  try {
    return readBaseline(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(`The baseline ${path} cannot be read: ${displayText(why)}`, {
      code: 'bad_baseline',
      cause: error,
    });
  }
}

const OUTCOMES = { passed: 'done', failed: 'failed', stale: 'stale' } as const;

function verdictOf({ output }: Context, report: Report, baseline: Baseline | undefined): Outcome {
  const { verdict, unlisted, fixed } = judgeAgainst(report, baseline);
  if (baseline !== undefined && unlisted.length > 0) {
    output.warn(`Not in the baseline: ${listOf(unlisted)}`);
  }
  if (fixed.length > 0) output.warn(`In the baseline, but not failing any more: ${listOf(fixed)}`);
  return OUTCOMES[verdict];
}

const MAX_LISTED = 20;

function listOf(ids: readonly string[]): string {
  const more = ids.length - MAX_LISTED;
  return more > 0 ? `${ids.slice(0, MAX_LISTED).join(', ')} and ${more} more` : ids.join(', ');
}
