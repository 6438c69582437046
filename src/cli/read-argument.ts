import { readFile } from 'node:fs/promises';
import { usageError } from './cli-error.ts';
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw usageError(`The file ${path} cannot be read (${code}).`, { code: 'file_unreadable' });
  }
}

/** Whether a value names a source instead of being the data. */
export function isSource(value: string): boolean {
  return value === '-' || (value.startsWith('@') && value.length > 1);
}
