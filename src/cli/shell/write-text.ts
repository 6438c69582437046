import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type CliError, usageError } from './cli-error.ts';
import { systemReason } from './system-reason.ts';

/**
 * Opens the file as far as that changes nothing: what is in it stays, and where there was none there is none after.
 * @throws CliError (usage) when a file cannot be written where it is named.
 */
export function checkWritable(file: string): void {
  const problem = problemOf(file);
  if (problem !== undefined) throw unwritable(file, problem);
}

/** A file that was named and cannot be written: with 1 it would be taken for a verdict. */
export function unwritable(file: string, problem: string, cause?: unknown): CliError {
  return usageError(`${file} cannot be written: ${problem}.`, { code: 'file_unwritable', cause });
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
  return openingProblem(file, there !== undefined);
}

/** What only the attempt shows: a folder that takes no files, such as one of `/proc`, a disk that is full. */
function openingProblem(file: string, isThere: boolean): string | undefined {
  // A link to nothing would be followed, and what it leads to left behind.
  if (!isThere && found(file, lstatSync) !== undefined) return undefined;
  try {
    closeSync(openSync(file, isThere ? 'a' : 'ax'));
    if (!isThere) unlinkSync(file);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' ? 'its folder takes no files' : systemReason(error);
  }
}

function found(path: string, stat: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return stat(path);
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

/** @throws CliError (usage) when it cannot be written after all. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unwritable(file, systemReason(error), error);
  }
}
