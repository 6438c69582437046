import { type CliError, usageError } from './cli-error.ts';

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
};

/** Why a file that was named cannot be read, from an error of node:fs. */
export function unreadable(path: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return usageError(`The file ${path} cannot be read: ${WHY[code] ?? code}.`, {
    code: 'file_unreadable',
    cause: error,
  });
}
