import { type CliError, usageError } from './cli-error.ts';
import { systemReason } from './system-reason.ts';

/** Why a file that was named cannot be read, from an error of node:fs. */
export function unreadable(path: string, error: unknown): CliError {
  return usageError(`The file ${path} cannot be read: ${systemReason(error)}.`, {
    code: 'file_unreadable',
    cause: error,
  });
}
