import type Libsql from 'libsql';
import type { Value } from './database.ts';
import { prepareDatabaseFile } from './database-file.ts';
import { StoreOpenError, type StoreOpenErrorCode } from './errors.ts';
import { requireRoomForFiles } from './room-for-files.ts';

export type Connection = Libsql.Database;
export type Statement = Libsql.Statement;

/** A file and its log; libsql has six more for its threads, and the server needs some after it. */
const ROOM = 16;

export interface ConnectOptions {
  /** Made when missing. `undefined`: in memory. */
  readonly file: string | undefined;
  /** Replaced in tests. */
  readonly loadDriver?: () => Promise<{ readonly default: typeof Libsql }>;
}

/**
 * Opens a file, for this process alone until it ends, or a database in memory.
 * @throws StoreOpenError
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { file, loadDriver = () => import('libsql') } = options;
  requireRoomForFiles(ROOM);
  // Its compiled part is an optional dependency of its own: npm may leave it out, and not every system has one.
  const { default: Driver } = await loadDriver().catch((error: unknown) => {
    throw new StoreOpenError('no_sqlite', file, { cause: error });
  });
  if (file !== undefined) prepareDatabaseFile(file);
  const connection = open(Driver, file);
  if (file === undefined) return connection;
  try {
    // Held from the first read on, and gone with a process that is killed (https://www.sqlite.org/pragma.html).
    connection.exec('PRAGMA locking_mode = EXCLUSIVE');
    connection.exec('PRAGMA journal_mode = WAL');
    // What was committed is with the operating system: a killed process loses nothing, a power cut the latest.
    connection.exec('PRAGMA synchronous = NORMAL');
    refuseForeign(connection, file);
    refuseDamaged(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    if (sqliteCode(error) === 'SQLITE_NOTADB') {
      throw new StoreOpenError('not_a_database', file, { cause: error });
    }
    const known = toFileError(error, file);
    if (known instanceof StoreOpenError) throw known;
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

/**
 * Lets another connection have the file at once, the log written back to it: the driver holds what it closes until it
 * is collected.
 */
export function letGo(connection: Connection): void {
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
    connection.exec('PRAGMA locking_mode = NORMAL');
    // The lock goes with the first use after it.
    connection.exec('SELECT 1 FROM sqlite_master');
  } catch {
    // On a bad disk it goes with the process; the log is read by whoever opens the file.
  }
}

function open(Driver: typeof Libsql, file: string | undefined): Connection {
  try {
    return new Driver(file ?? ':memory:');
  } catch (error) {
    // The driver's own error has no code. The file was looked at before, so its folder is what is wrong.
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

function refuseForeign(connection: Connection, file: string): void {
  const tables = connection
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .raw()
    .all()
    .map((row) => (row as readonly Value[])[0]);
  if (tables.length > 0 && !tables.includes('table_sets')) {
    throw new StoreOpenError('foreign', file);
  }
}

/** Every page, but for the order of indexes: what is damaged shows now, and not to a request. */
function refuseDamaged(connection: Connection, file: string): void {
  const found = connection.prepare('PRAGMA quick_check(1)').raw().all();
  if ((found[0] as readonly Value[] | undefined)?.[0] !== 'ok') {
    throw new StoreOpenError('damaged', file);
  }
}

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
function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
