import type { Role } from '../../conformance/engine/model.ts';
import { type EarlierReport, readEarlierReport } from '../../conformance/engine/since.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { articled } from './articled.ts';

/**
 * The report of `--since`.
 * @throws CliError (usage) when it is none that this version reads, or of another role.
 */
export async function openEarlier(
  { interrupt }: Context,
  path: string | undefined,
  role: Role,
): Promise<EarlierReport | undefined> {
  if (path === undefined) return undefined;
  const text = (await readNamedFile(path, interrupt.signal, '--since')).toString('utf8');
  const refused = (why: string, cause?: unknown) =>
    usageError(`${path} of --since ${why}`, {
      code: 'bad_report',
      hint: `Name a file that conformance ${role} wrote with --report json=FILE, by this version.`,
      cause,
    });
  try {
    const report = readEarlierReport(text);
    if (report.role === role) return report;
    throw refused(`is a report of ${articled(report.role)}, not of ${articled(role)}.`);
  } catch (error) {
    throw error instanceof TypeError ? refused(error.message, error) : error;
  }
}
