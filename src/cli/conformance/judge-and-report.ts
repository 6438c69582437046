import type { ScenarioOutline } from '../../conformance/all-scenarios.ts';
import { type Baseline, readBaseline, writeBaseline } from '../../conformance/engine/baseline.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import type { CoreFlow } from '../../conformance/engine/core.ts';
import { drawSeed } from '../../conformance/engine/invented.ts';
import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Report, Role, ScenarioResult, Verdict } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { buildReport } from '../../conformance/engine/report.ts';
import type { Progress } from '../../conformance/engine/runner.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { isNamedBy, isNarrowed, type Selection } from '../../conformance/engine/selection.ts';
import { settle } from '../../conformance/engine/settle.ts';
import type { EarlierReport } from '../../conformance/engine/since.ts';
import { isRed } from '../../conformance/engine/verdict.ts';
import { NoAnswer } from '../../conformance/http/no-answer.ts';
import { listOfIds } from '../../conformance/reporters/report-view.ts';
import { BadTarget, NothingPublished } from '../../conformance/target/bad-target.ts';
import { displayText } from '../../protocol/text.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { mocksBeside } from '../shell/explain.ts';
import { nextLine } from '../shell/next-line.ts';
import { readVersion } from '../shell/version.ts';
import { writeText } from '../shell/write-text.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { checksOf, openBaseline, openEarlier, openReplaced } from './earlier-runs.ts';
import type { ReportOptions } from './options.ts';
import { readReportOutputs, reportUnjudged, writeReports } from './report-outputs.ts';
import { showProgress } from './show-progress.ts';
import { typedAgain } from './typed-again.ts';

/** What a run needs of the program, whoever is judged. */
export interface JudgeRun {
  readonly catalog: Catalog;
  readonly selection: Selection;
  readonly seed: number;
  readonly onProgress: (progress: Progress) => void;
  /** To be called with the dialect in which a service is judged. */
  readonly onDialect: (dialect: string) => void;
  /** To be called with each result: what was judged is reported however the run ends. */
  readonly onResult: (result: ScenarioResult) => void;
  /** Aborted by Ctrl-C: the run ends with it. */
  readonly signal: AbortSignal;
  /** Prints something for the user above the line of progress. */
  readonly show: (print: () => void) => void;
}

export interface Judging {
  readonly role: Role;
  /** A URL, or a command line. */
  readonly target: string;
  /** The scenarios that may run: `--only` and `--skip` have to name some of them. */
  readonly scenarios: readonly ScenarioOutline[];
  /** The flows without which no verdict is possible. */
  readonly core: readonly CoreFlow[];
  /** Whether only scenarios that create nothing run. */
  readonly safe?: boolean;
  /** @throws BadTarget when there is nothing to judge. */
  judge(run: JudgeRun): Promise<readonly ScenarioResult[]>;
}

/** Judges and writes the reports: whatever was judged, also where the run was interrupted or broke off. */
export async function judgeAndReport(
  context: Context,
  options: ReportOptions,
  judging: Judging,
): Promise<Outcome> {
  const outputs = readReportOutputs(context, options.report ?? []);
  const selection = readSelection(options, judging);
  const baseline = await openBaseline(context, options.baseline, judging.role);
  const replaced = await openReplaced(context, options.writeBaseline, judging.role);
  const earlier = await openEarlier(context, options.since, judging.role);
  const seed = options.seed ?? drawSeed(context.world.random);
  const typed = typedAgain(context.argv);
  const run = reportOf(context, judging, { selection, seed, baseline, earlier, typed });
  const { report, broken } = await run.catch((error: unknown) => {
    reportUnjudged(context, judging, outputs, error);
    throw error;
  });
  writeReports(context, report, outputs, options.verbose === true);
  if (broken !== undefined) throw broken;
  if (options.writeBaseline !== undefined) {
    const text = writeBaseline(report, replaced, await checksOf(judging.role));
    writeText(options.writeBaseline, text);
    tellOfWritten(context, options.writeBaseline, replaced, text);
    if (baseline === undefined) return 'done';
  }
  if (baseline !== undefined) {
    const isTold = outputs.some(({ format, file }) => format === 'terminal' && file === undefined);
    tellOfBaseline(context, report, isTold);
  }
  return outcomeOf(report.verdict);
}

interface Chosen extends Pick<JudgeRun, 'selection' | 'seed'> {
  readonly baseline: Baseline | undefined;
  readonly earlier: EarlierReport | undefined;
  readonly typed: readonly string[];
}

/** The report of a run, also of one that broke off. */
async function reportOf(
  context: Context,
  judging: Judging,
  { baseline, earlier, typed, ...chosen }: Chosen,
): Promise<{ readonly report: Report; readonly broken?: unknown }> {
  const { clock } = context.world;
  const startedAt = clock.now();
  const { broken, dialect, results } = await judgeWithProgress(context, judging, chosen);
  const report = buildReport({
    version: readVersion(),
    program: context.world.environment.programName,
    typed,
    role: judging.role,
    target: judging.target,
    dialect,
    startedAt,
    duration: clock.now() - startedAt,
    seed: chosen.seed,
    scenarios: settle(results, judging.scenarios),
    core: judging.core,
    baseline,
    earlier,
    selectedOnly: isNarrowed(chosen.selection),
    interrupted: broken !== undefined,
  });
  return { report, ...(broken !== undefined && { broken }) };
}

/**
 * What `--only`, `--skip`, `--level`, `--section` and `--safe` select.
 * @throws CliError (usage) for a name that matches nothing: a run without checks would pass.
 */
function readSelection(
  { only, skip, level, section }: ReportOptions,
  { role, scenarios, safe }: Judging,
): Selection {
  for (const [flag, patterns] of Object.entries({ only, skip })) {
    for (const pattern of patterns ?? []) {
      if (!namesSome(pattern, scenarios)) {
        const names = scenarios.flatMap((each) => [each.id, ...checkIds(each)]);
        const hint = `${didYouMean(pattern, names)} See: agent-auth conformance list --role ${role}`;
        throw usageError(
          `--${flag} ${pattern} matches no scenario and no check of --role ${role}.`,
          {
            code: 'unknown_check',
            hint: hint.trimStart(),
          },
        );
      }
    }
  }
  return {
    ...(only && { only }),
    ...(skip && { skip }),
    ...(level && { level }),
    ...(section && { section }),
    ...(safe !== undefined && { safe }),
  };
}

function namesSome(pattern: string, scenarios: readonly ScenarioOutline[]): boolean {
  return scenarios.some((scenario) =>
    checkIds(scenario).some((id) => isNamedBy(pattern, id, scenario.id)),
  );
}

interface Judged {
  readonly results: readonly ScenarioResult[];
  readonly dialect: string | undefined;
  /** What ended the run before its end, after something was judged. */
  readonly broken?: unknown;
}

async function judgeWithProgress(
  context: Context,
  judging: Judging,
  chosen: Pick<JudgeRun, 'selection' | 'seed'>,
): Promise<Judged> {
  const catalog = new Catalog(readRequirements());
  const { signal } = context.interrupt;
  const progress = await showProgress(context, judging.target);
  const judged: ScenarioResult[] = [];
  let dialect: string | undefined;
  try {
    const results = await untilInterrupted(signal, () =>
      judging.judge({
        ...chosen,
        catalog,
        signal,
        show: progress.show,
        onProgress: progress.onProgress,
        onDialect: (found) => {
          dialect = found;
        },
        onResult: (result) => judged.push(result),
      }),
    );
    return { results, dialect };
  } catch (error) {
    const broken = explainRun(error, context, judging.target);
    if (judged.length === 0) throw broken;
    return { results: judged, dialect, broken };
  } finally {
    progress.stop();
  }
}

/** Does not conform before stale, stale before inconclusive. */
function outcomeOf({ outcome, fixed }: Verdict): Outcome {
  if (outcome === 'does_not_conform') return 'failed';
  if (fixed.length > 0) return 'stale';
  return outcome === 'inconclusive' ? 'inconclusive' : 'done';
}

/** @param isTold The report on stdout says what makes the baseline stale. */
function tellOfBaseline(
  { output }: Context,
  { verdict, scenarios }: Report,
  isTold: boolean,
): void {
  const unlisted = scenarios
    .flatMap(({ checks }) => checks)
    .filter((check) => isRed(check) && check.known === undefined);
  if (unlisted.length > 0) {
    output.warn(`Not in the baseline: ${listOfIds(unlisted.map(({ id }) => id))}`);
  }
  if (verdict.fixed.length > 0 && !isTold) {
    output.warn(`In the baseline, but not failing any more: ${listOfIds(verdict.fixed)}`);
  }
}

/** `Wrote known.yaml: 2 known failures (new: …; taken out: …).` */
function tellOfWritten({ output }: Context, file: string, before: string, after: string): void {
  const idsOf = (text: string) =>
    text.trim() === '' ? [] : readBaseline(text).known.map(({ check }) => check);
  const [old, now] = [idsOf(before), idsOf(after)];
  const added = now.filter((id) => !old.includes(id));
  const gone = old.filter((id) => !now.includes(id));
  const changes = [
    ...(old.length > 0 && added.length > 0 ? [`new: ${listOfIds(added)}`] : []),
    ...(gone.length > 0 ? [`taken out: ${listOfIds(gone)}`] : []),
  ];
  const told = changes.length === 0 ? '' : ` (${changes.join('; ')})`;
  output.say(
    `Wrote ${file}: ${now.length} known ${now.length === 1 ? 'failure' : 'failures'}${told}.`,
  );
}

/** An error that stops a run before anything was judged. @param target A URL, or a command line. */
function explainRun(error: unknown, context: Context, target: string): unknown {
  if (error instanceof NothingPublished) {
    return new CliError('failed', {
      code: 'bad_target',
      message: displayText(error.message),
      hint: 'Check the URL. If you build this service: docs/make-a-service-agent-ready.md says what to publish.',
      next: nextLine(context, 'lint', target),
    });
  }
  const next = URL.canParse(target) ? nextLine(context, 'doctor', target) : undefined;
  if (error instanceof BadTarget && error.kind === 'not_a_peer') {
    return new CliError('failed', {
      code: 'bad_target',
      message: displayText(error.message),
      next,
    });
  }
  if (error instanceof BadTarget || error instanceof NoAnswer) {
    const message = displayText(error.message);
    const hint = mocksBeside(context, target);
    return new CliError('network', { code: 'target_unreachable', message, hint, next });
  }
  // What was to help with judging cannot be used: nothing was judged, so that it is no verdict.
  if (error instanceof CannotTest) {
    return usageError(displayText(error.message), { code: 'cannot_test', next });
  }
  return error;
}

/** How long a run may take to end its scenario and close its servers. Milliseconds. */
const GRACE = 2_000;

/**
 * After an interrupt, waits a short time for the work to end itself, so that it closes its servers and sets
 * a moved clock back. Work that takes longer is abandoned; a second Ctrl-C ends the process.
 * @throws Interrupted
 */
async function untilInterrupted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const working = work();
  let timer: NodeJS.Timeout | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer = setTimeout(() => reject(new Interrupted()), GRACE);
    };
    signal.addEventListener('abort', begin, { once: true });
    working.finally(() => signal.removeEventListener('abort', begin)).catch(() => {});
  });
  try {
    return await Promise.race([working, interrupted]);
  } finally {
    clearTimeout(timer);
  }
}
