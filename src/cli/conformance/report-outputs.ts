import { drawSeed } from '../../conformance/engine/invented.ts';
import type { Report, ScenarioResult } from '../../conformance/engine/model.ts';
import { ownPackage } from '../../conformance/engine/own-package.ts';
import { buildReport } from '../../conformance/engine/report.ts';
import { baseOf } from '../../conformance/engine/source-link.ts';
import { REPORTERS } from '../../conformance/reporters/index.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { installedPage, withInstalledPages } from '../shell/installed-page.ts';
import { readVersion } from '../shell/version.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';

type ReportFormat = keyof typeof REPORTERS;

/** A report that was asked for. */
interface ReportOutput {
  readonly format: ReportFormat;
  /** Undefined: stdout. */
  readonly file: string | undefined;
}

const FORMATS = Object.keys(REPORTERS) as readonly ReportFormat[];

/**
 * The values of `--report`; without one for stdout, the terminal report goes there.
 * @throws CliError (usage) before anything is judged, so that no long run ends without its report.
 */
export function readReportOutputs(
  { output }: Context,
  values: readonly string[],
): readonly ReportOutput[] {
  const outputs = values.map(parse);
  for (const { file } of outputs) if (file !== undefined) checkWritable(file);
  const toStdout = outputs.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw usageError('Only one --report can go to stdout; the others need a file: FORMAT=FILE.');
  }
  if (output.json && toStdout.length > 0) {
    throw usageError('--json prints the report itself; give --report a file: FORMAT=FILE.');
  }
  return toStdout.length > 0 ? outputs : [{ format: 'terminal', file: undefined }, ...outputs];
}

function parse(value: string): ReportOutput {
  const [name = '', ...rest] = value.split('=');
  const format = FORMATS.find((each) => each === name);
  const place = rest.length === 0 ? '-' : rest.join('=');
  const file = place === '-' ? undefined : place;
  if (format === undefined || file === '') {
    const problem = format === undefined ? 'names no format that there is' : 'names no file';
    throw usageError(`--report ${value} ${problem}: use FORMAT or FORMAT=FILE.`, {
      hint: `Formats: ${FORMATS.join(', ')}.`,
    });
  }
  return { format, file };
}

/** Columns of a report that goes to a file or a pipe. */
const PIPED_WIDTH = 120;

/**
 * Writes every report that was asked for: one that cannot be written takes none of the others along.
 * @throws CliError (usage) for the first of those.
 */
export function writeReports(
  { output, world }: Context,
  report: Report,
  outputs: readonly ReportOutput[],
  verbose: boolean,
): void {
  const { stdout } = world.streams;
  const problems: unknown[] = [];
  const written: string[] = [];
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (problem) {
      problems.push(problem);
    }
  };
  for (const { format, file } of outputs) {
    const isScreen = file === undefined;
    const text = () =>
      REPORTERS[format].render(report, {
        color: isScreen && stdout.style.bold('x') !== 'x',
        width: isScreen && stdout.isTTY ? stdout.columns : PIPED_WIDTH,
        verbose,
        html: outputs.some((each) => each.format === 'html'),
      });
    if (file !== undefined) {
      attempt(() => {
        writeText(file, text());
        written.push(`${file} (${format})`);
      });
    } else if (!output.json) {
      const isRead = format === 'terminal' && stdout.isTTY;
      output.raw(withFinalBreak(isRead ? withOwnPages(text()) : text()));
    }
  }
  if (output.json && outputs.some(({ file }) => file === undefined)) {
    const { schema, ...data } = report;
    output.result({ schema: 'conformance', json: () => ({ ...data }), human: () => schema });
  }
  if (written.length > 0) output.say(`Wrote ${written.join(', ')}.`);
  if (problems.length > 0) throw problems[0];
}

/**
 * Whoever sits at the terminal has our pages on this machine, as they are of this version. A log and a file are
 * read elsewhere, and keep the links. The name of the source says the section, so that the path opens as it is.
 */
export function withOwnPages(text: string, folder = process.cwd()): string {
  const base = baseOf(ownPackage()).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const link = new RegExp(`${base}(docs/[\\w-]+\\.md)(?:#[\\w.-]+)?`, 'g');
  return withInstalledPages(text, folder).replace(link, (_link, page: string) =>
    installedPage(page, folder),
  );
}

function withFinalBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** What somebody reads. An empty file for programs would say that nothing is wrong: a comparison would find nothing worse. */
const READ_BY_PEOPLE: readonly ReportOutput['format'][] = ['junit', 'markdown', 'html'];

/**
 * Where nothing could be judged at all, the files of reports say so: a job that collects them finds the reason
 * in its list of tests, and none of an earlier run.
 */
export function reportUnjudged(
  context: Context,
  { role, target }: Pick<Report, 'role' | 'target'>,
  outputs: readonly ReportOutput[],
  why: unknown,
): void {
  const { clock, random } = context.world;
  // What answered was looked at: that it can be judged no further is a result.
  const hasAnswered = why instanceof CliError && why.outcome === 'failed';
  const files = outputs.filter(
    ({ format, file }) => file !== undefined && (hasAnswered || READ_BY_PEOPLE.includes(format)),
  );
  if (files.length === 0 || context.interrupt.signal.aborted) return;
  const report = buildReport({
    ...{ version: readVersion(), role, target, startedAt: clock.now(), duration: 0 },
    ...{ seed: drawSeed(random), core: [] },
    scenarios: [unjudged(displayText(why instanceof Error ? why.message : String(why)))],
  });
  try {
    writeReports(context, report, files, false);
  } catch {
    // The run has its error already.
  }
}

function unjudged(reason: string): ScenarioResult {
  const title = 'The run can begin.';
  return {
    ...{ id: 'run', title, duration: 0, exchanges: [] },
    checks: [
      {
        ...{ id: 'run.begun', title, level: 'must', section: 'protocol', status: 'untestable' },
        ...{ requirements: [], sources: [], findings: [], moreFindings: 0, reason },
      },
    ],
  };
}
