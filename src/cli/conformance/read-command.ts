import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { CommandLine } from '../terminal/child.ts';
import { readCommandLine } from './spawn-command.ts';

/**
 * The words of a command line that was given as one option, whose program is there.
 * @throws CliError (usage) when it cannot be read, or its program cannot be run.
 */
export function readCommand(
  { world }: Pick<Context, 'world'>,
  text: string,
  flag: string,
): CommandLine {
  const line = readCommandLine(text, flag);
  const problem = whyNotRun(line[0], world.environment.source['PATH'] ?? '');
  if (problem === undefined) return line;
  throw usageError(`The command of ${flag} cannot be run: ${problem}.`, {
    code: 'command_missing',
    hint: 'No shell is involved: name a program on the PATH, or the path of one.',
  });
}

/** Windows finds programs by their extension, too: only running shows it. */
const isUnix = process.getuid !== undefined;

function whyNotRun(program: string, path: string): string | undefined {
  if (!isUnix) return undefined;
  const name = displayText(program);
  if (!program.includes('/')) {
    const isThere = path.split(delimiter).some((folder) => canRun(join(folder, program)));
    return isThere ? undefined : `there is no ${name} on the PATH`;
  }
  if (canRun(program)) return undefined;
  return isFile(program) ? `${name} is not executable` : `there is no ${name}`;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
