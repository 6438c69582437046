import { existsSync } from 'node:fs';
import { type Baseline, readBaseline } from '../../conformance/engine/baseline.ts';
import type { Role } from '../../conformance/engine/model.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { type EarlierReport, readEarlierReport } from '../../conformance/engine/since.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { checkWritable } from '../shell/write-text.ts';

/** The ids of all that a role is judged by, whatever of it this run may run. */
export async function checksOf(role: Role): Promise<readonly string[]> {
  const { ALL_SCENARIOS } = await import('../../conformance/all-scenarios.ts');
  return ALL_SCENARIOS[role].flatMap((scenario) => checkIds(scenario));
}

/**
 * The file of `--baseline`.
 * @throws CliError (usage) when it is none, is of another role, or lists what is no check: with a slip in its name,
 * a failure that is known is new, and one that is mended is never seen.
 */
export async function openBaseline(
  { interrupt }: Context,
  path: string | undefined,
  role: Role,
): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const text = (await readNamedFile(path, interrupt.signal)).toString('utf8');
  return parseBaseline(path, text, role, await checksOf(role));
}

/**
 * The text that `--write-baseline` replaces; empty where there is none.
 * @throws CliError (usage) for a file that is no baseline of this role: what is in it would be lost.
 */
export async function openReplaced(
  { interrupt }: Context,
  path: string | undefined,
  role: Role,
): Promise<string> {
  if (path === undefined) return '';
  checkWritable(path);
  if (!existsSync(path)) return '';
  const text = (await readNamedFile(path, interrupt.signal)).toString('utf8');
  if (text.trim() !== '') parseBaseline(path, text, role);
  return text;
}

function parseBaseline(
  path: string,
  text: string,
  role: Role,
  checks?: readonly string[],
): Baseline {
  try {
    const baseline = readBaseline(text);
    if (baseline.role === role) return checks ? readBaseline(text, checks) : baseline;
    throw new TypeError(`it is for ${articled(baseline.role)}, not for ${articled(role)}.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(`The baseline ${path} cannot be used: ${displayText(why)}`, {
      code: 'bad_baseline',
      cause: error,
    });
  }
}

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

/** `an agent`, `a service`. */
function articled(role: Role): string {
  return `${role === 'agent' ? 'an' : 'a'} ${role}`;
}
