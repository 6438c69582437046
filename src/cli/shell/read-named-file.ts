import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readAll, TooLarge } from '../terminal/streams.ts';
import { type CliError, usageError } from './cli-error.ts';
import { systemReason } from './system-reason.ts';

/** The limit for a file that the user named, and for stdin. Bytes. */
export const FILE_LIMIT = 16 * 1024 * 1024;
const CHUNK = 64 * 1024;

/**
 * The content of a file that the user named, FIFOs included: `--ca <(command)`. A FIFO without a writer is
 * waited for until `signal` aborts.
 * @param flag the option that names it, for the message
 * @throws CliError (usage) when it cannot be read, or has more than 16 MiB; no more of it is read.
 */
export async function readNamedFile(
  path: string,
  signal: AbortSignal,
  flag?: string,
): Promise<Buffer> {
  if (path === '' && flag !== undefined) {
    throw usageError(`${flag} cannot be "". Name a file.`, { code: 'file_unreadable' });
  }
  try {
    // Without O_NONBLOCK the open itself would block until there is a writer, and no signal could end it.
    const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = fstatSync(handle);
    if (about.isFIFO()) return await readFifo(handle, signal);
    try {
      if (about.size > FILE_LIMIT) throw new TooLarge();
      return readCapped(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof TooLarge) throw tooLarge(`The file ${named(path, flag)}`);
    throw error instanceof Error && 'syscall' in error ? unreadable(path, error, flag) : error;
  }
}

/** Reads on the event loop, so that a signal can end it; closes the handle. */
async function readFifo(handle: number, signal: AbortSignal): Promise<Buffer> {
  const { Socket } = await import('node:net');
  const socket = new Socket({ fd: handle, readable: true, writable: false });
  return readAll(socket, FILE_LIMIT, signal);
}

function readCapped(handle: number): Buffer {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= FILE_LIMIT; ) {
    const chunk = Buffer.alloc(CHUNK);
    const count = readSync(handle, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  throw new TooLarge();
}

/** @param what the file or stdin, as the beginning of a sentence. */
export function tooLarge(what: string): CliError {
  return usageError(`${what} is larger than 16 MiB.`, { code: 'file_too_large' });
}

/** Why a file that was named cannot be read, from an error of node:fs. */
export function unreadable(path: string, error: unknown, flag?: string): CliError {
  return usageError(`The file ${named(path, flag)} cannot be read: ${systemReason(error)}.`, {
    code: 'file_unreadable',
    cause: error,
  });
}

function named(path: string, flag: string | undefined): string {
  return flag === undefined ? path : `${path} of ${flag}`;
}
