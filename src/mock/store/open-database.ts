import type { Database } from './database.ts';
import { LibsqlDatabase } from './database-libsql.ts';

export interface OpenOptions {
  /** Made when missing. Default: in memory, gone with the process. */
  readonly file?: string;
  /**
   * How long to wait for another process, in milliseconds. Nothing else runs meanwhile, so it is
   * short. Default: 250.
   */
  readonly busyTimeout?: number;
}

/**
 * Opens a store: in memory, or in a file for its owner alone.
 * @throws StoreOpenError with a sentence that says what to do.
 */
export async function openDatabase({
  file,
  busyTimeout = 250,
}: OpenOptions = {}): Promise<Database> {
  return new LibsqlDatabase(file, busyTimeout);
}
