import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { usageError } from './cli-error.ts';
import { unreadable } from './unreadable-file.ts';

/** The most that is read of a file that holds text. Bytes. */
const LIMIT = 16 * 1024 * 1024;
const CHUNK = 64 * 1024;

/**
 * The text of a file that a person named; a FIFO is one too: `--ca <(command)`.
 * @throws CliError (usage) when it cannot be read, or has more than 16 MiB; no more of it is read.
 */
export function readNamedFile(path: string): string {
  try {
    const handle = openSync(path, 'r');
    try {
      if (fstatSync(handle).size > LIMIT) throw tooLarge(path);
      return readCapped(handle, path);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadable(path, error) : error;
  }
}

function readCapped(handle: number, path: string): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= LIMIT; ) {
    const chunk = Buffer.alloc(CHUNK);
    const count = readSync(handle, chunk);
    if (count === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  throw tooLarge(path);
}

function tooLarge(path: string) {
  return usageError(`The file ${path} has more than 16 MiB: it is not read.`, {
    code: 'file_too_large',
  });
}
