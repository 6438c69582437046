import {
  accessSync,
  closeSync,
  constants,
  openSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CliError, usageError } from './cli-error.ts';
import { systemReason } from './system-reason.ts';

/** @throws CliError (usage) when a file cannot be written where it is named. */
export function checkWritable(file: string): void {
  const problem = problemOf(file);
  if (problem === undefined) return;
  throw usageError(`${file} cannot be written: ${problem}.`, { code: 'file_unwritable' });
}

function problemOf(file: string): string | undefined {
  const there = found(file);
  if (file === '') return 'it has no name';
  if (there?.isDirectory() || /[/\\]$/.test(file)) return 'it is a folder';
  // A device or a pipe is written where it is, whatever its folder allows.
  if (there !== undefined && !isWritable(file)) return 'it is not writable';
  if (there !== undefined && !there.isFile()) return undefined;
  if (!found(dirname(file))?.isDirectory()) return 'its folder does not exist';
  if (!isWritable(dirname(file))) return 'its folder is not writable';
  return there === undefined ? whyNotMade(file) : undefined;
}

/** What a file system does not take though its modes allow it, as below /proc. Leaves nothing behind. */
function whyNotMade(file: string): string | undefined {
  try {
    closeSync(openSync(file, 'wx'));
    rmSync(file);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A link that leads to a file which is not there yet is written where it leads.
    if (code === 'EEXIST') return undefined;
    return code === 'ENOENT' ? 'its folder takes no files' : systemReason(error);
  }
}

function found(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws CliError when it cannot be written after all. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CliError('failed', {
      code: 'file_unwritable',
      message: `${file} cannot be written: ${systemReason(error)}.`,
      cause: error,
    });
  }
}
