import type Libsql from 'libsql';
import type { Value } from './database.ts';
import { prepareDatabaseFile } from './database-file.ts';
import { StoreBusyError, StoreOpenError } from './errors.ts';
import { sqliteCode, toFileError } from './libsql-errors.ts';
import { requireRoomForFiles } from './room-for-files.ts';

export type Connection = Libsql.Database;
export type Statement = Libsql.Statement;

const OPEN_TRIES = 40;
/** A file, its log and its lock; libsql has six more for its threads, and the server needs some after it. */
const ROOM = 16;
/**
 * So many pages of the log, at least, are copied to the file at once, by the commit that makes them so many: nobody is
 * answered meanwhile. SQLite's 1000, from all over a large file, take 20 ms.
 */
const CHECKPOINT = 200;

export interface ConnectOptions {
  /** Made when missing. `undefined`: in memory. */
  readonly file: string | undefined;
  /** In milliseconds. */
  readonly busyTimeout: number;
  /** Replaced in tests. */
  readonly loadDriver?: () => Promise<{ readonly default: typeof Libsql }>;
}

/**
 * Opens a file, or a database in memory.
 * @throws StoreOpenError, StoreBusyError
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { file, busyTimeout, loadDriver = () => import('libsql') } = options;
  requireRoomForFiles(ROOM);
  // Its compiled part is an optional dependency of its own: npm may leave it out, and not every system has one.
  const { default: Driver } = await loadDriver().catch((error: unknown) => {
    throw new StoreOpenError('no_sqlite', file, { cause: error });
  });
  if (file !== undefined) prepareDatabaseFile(file);
  const connection = open(Driver, file, busyTimeout);
  if (file === undefined) return connection;
  try {
    retryInPlace(() => connection.exec('PRAGMA journal_mode = WAL'));
    // A spent `jti` must be spent after a power cut as well.
    connection.exec('PRAGMA synchronous = FULL');
    connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT}`);
    refuseForeign(connection, file);
    refuseDamaged(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    if (sqliteCode(error) === 'SQLITE_NOTADB') {
      throw new StoreOpenError('not_a_database', file, { cause: error });
    }
    const known = toFileError(error, file);
    if (known instanceof StoreOpenError || known instanceof StoreBusyError) throw known;
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

function open(Driver: typeof Libsql, file: string | undefined, busyTimeout: number): Connection {
  try {
    return new Driver(file ?? ':memory:', { timeout: busyTimeout });
  } catch (error) {
    // The driver's own error has no code. The file was looked at before, so its folder is what is wrong.
    throw new StoreOpenError('not_writable', file, { cause: error });
  }
}

/** Changing the journal does not wait for the busy timeout; each failed attempt waits by itself. */
function retryInPlace(work: () => void): void {
  for (let left = OPEN_TRIES; ; left -= 1) {
    try {
      work();
      return;
    } catch (error) {
      if (!sqliteCode(error).startsWith('SQLITE_BUSY') || left <= 1) throw error;
    }
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
