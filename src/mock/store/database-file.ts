import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { StoreOpenError } from './errors.ts';

const PRIVATE = 0o600;
const OTHERS = 0o077;
/** The first bytes of every SQLite file (https://www.sqlite.org/fileformat.html §1.3.1). */
const MAGIC = 'SQLite format 3\0';

/**
 * Ensures that a database file exists, for its owner alone, and looks like a database. SQLite gives
 * `-wal` and `-shm` the mode of the file, so it is created before the driver creates it readable by all.
 * @throws StoreOpenError
 */
export function prepareDatabaseFile(file: string): void {
  if (!create(file)) inspect(file);
  for (const companion of [`${file}-wal`, `${file}-shm`]) {
    const stats = statSync(companion, { throwIfNoEntry: false });
    if (stats !== undefined) checkStats(companion, stats);
  }
}

/** `false` when it exists. */
function create(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', PRIVATE));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new StoreOpenError('not_found', file, { cause: error });
    }
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

function inspect(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  // It exists and leads nowhere: a symbolic link.
  if (stats === undefined) throw new StoreOpenError('not_a_file', file);
  checkStats(file, stats);
  let handle: number;
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    handle = openSync(file, 'r');
  } catch (error) {
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
  try {
    if (fstatSync(handle).size === 0) return;
    const start = Buffer.alloc(MAGIC.length);
    readSync(handle, start, 0, MAGIC.length, 0);
    if (start.toString('latin1') !== MAGIC) throw new StoreOpenError('not_a_database', file);
  } finally {
    closeSync(handle);
  }
}

function checkStats(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new StoreOpenError('not_a_file', file);
  // Windows has no such modes, and no constants for them.
  const hasModes = constants.S_IRGRP !== undefined;
  if (hasModes && (stats.mode & OTHERS) !== 0) throw new StoreOpenError('not_private', file);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
