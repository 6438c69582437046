import type { Database } from './database.ts';
import { LibsqlDatabase } from './database-libsql.ts';
import { PostgresDatabase } from './database-pg.ts';

interface OpenOptions {
  /** Made when missing, and used by this process alone. Default: in memory, gone with the process. */
  readonly file?: string;
  /**
   * `postgres://user@host:5432/name` instead of a file, for several processes on several machines.
   * What it leaves out is read from PGHOST, PGPASSWORD and their like. Needs the package `pg`.
   */
  readonly address?: string;
  /** How long to wait for another process, in milliseconds, with a URL. Default: 5000. */
  readonly busyTimeout?: number;
}

/**
 * Opens a store: in memory, in a file for its owner alone, or in a PostgreSQL database.
 * @throws StoreOpenError with a sentence that says what to do; TypeError for both a file and a URL.
 */
export async function openDatabase({
  file,
  address: url,
  busyTimeout = 5000,
}: OpenOptions = {}): Promise<Database> {
  if (url === undefined) return LibsqlDatabase.open({ file });
  if (file !== undefined) throw new TypeError('A database has a file or a URL, not both.');
  return PostgresDatabase.open({ url, busyTimeout });
}
