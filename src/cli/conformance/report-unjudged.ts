import { drawSeed } from '../../conformance/engine/invented.ts';
import type { Report, ScenarioResult } from '../../conformance/engine/model.ts';
import { buildReport } from '../../conformance/engine/report.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readVersion } from '../shell/version.ts';
import { type ReportOutput, writeReports } from './report-outputs.ts';

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
