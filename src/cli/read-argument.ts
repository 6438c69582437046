import { readFile } from 'node:fs/promises';
import type { Context } from './context.ts';
import { readAll } from './terminal/streams.ts';
import { unreadable } from './unreadable-file.ts';

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

/** Whether a value names a source instead of being the data. */
export function isSource(value: string): boolean {
  return value === '-' || (value.startsWith('@') && value.length > 1);
}
