import { StoreOpenError, type StoreOpenErrorCode } from './errors.ts';

/**
 * What SQLite says of its file, by the beginning of its extended code; the first that fits
 * (https://www.sqlite.org/rescode.html).
 */
const CODES: readonly (readonly [beginning: string, code: StoreOpenErrorCode])[] = [
  ['SQLITE_BUSY', 'in_use'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_IOERR_SHORT_READ', 'damaged'],
  ['SQLITE_IOERR_CORRUPTFS', 'damaged'],
  ['SQLITE_READONLY', 'file_read_only'],
  ['SQLITE_FULL', 'no_space'],
  ['SQLITE_IOERR', 'disk_failed'],
  ['SQLITE_CANTOPEN', 'not_writable'],
];

/** What a failed statement means to a caller; what is wrong with the statement itself stays as it is. */
export function toFileError(error: unknown, file: string | undefined): unknown {
  const code = sqliteCode(error);
  const known = CODES.find(([beginning]) => code.startsWith(beginning));
  return known === undefined ? error : new StoreOpenError(known[1], file, { cause: error });
}

/** Empty where the driver gave none. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
