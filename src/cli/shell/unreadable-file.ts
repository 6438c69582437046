import { type CliError, usageError } from './cli-error.ts';
import { systemReason } from './system-reason.ts';

/** @param what the file that was named, or stdin, as the beginning of a sentence. */
export function tooLarge(what: string): CliError {
  return usageError(`${what} has more than 16 MiB: it is not read.`, { code: 'file_too_large' });
}

/** Why a file that was named cannot be read, from an error of node:fs. */
export function unreadable(path: string, error: unknown): CliError {
  return usageError(`The file ${path} cannot be read: ${systemReason(error)}.`, {
    code: 'file_unreadable',
    cause: error,
  });
}
