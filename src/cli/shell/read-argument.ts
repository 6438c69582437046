import { readAll, TooLarge } from '../terminal/streams.ts';
import type { Context } from './context.ts';
import { FILE_LIMIT, readNamedFile, tooLarge } from './read-named-file.ts';

/**
 * What `@FILE` or `-` stands for.
 * @throws CliError (usage) when the file cannot be read, or either has more than 16 MiB.
 */
export async function readFromSource(context: Context, source: string): Promise<Buffer> {
  const { signal } = context.interrupt;
  if (source !== '-') return readNamedFile(source.slice(1), signal);
  try {
    return await readAll(context.world.streams.stdin.node, FILE_LIMIT, signal);
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge('The input on stdin') : error;
  }
}

/** Whether a value names a source instead of being the data. */
export function isSource(value: string): boolean {
  return value === '-' || (value.startsWith('@') && value.length > 1);
}
