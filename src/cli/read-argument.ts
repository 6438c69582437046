import { readFile } from 'node:fs/promises';
import { type CliError, usageError } from './cli-error.ts';
import type { Context } from './context.ts';
import { readAll } from './terminal/streams.ts';

/**
 * What `@FILE` or `-` stands for.
 * @throws CliError (usage) when the file cannot be read.
 */
export async function readFromSource(context: Context, source: string): Promise<Buffer> {
  if (source === '-') return readAll(context.world.streams.stdin);
  const path = source.slice(1);
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

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

/** Whether a value names a source instead of being the data. */
export function isSource(value: string): boolean {
  return value === '-' || (value.startsWith('@') && value.length > 1);
}
