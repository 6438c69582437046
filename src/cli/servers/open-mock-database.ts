import type { Database } from '../../mock/store/database.ts';
import { StoreOpenError } from '../../mock/store/database.ts';
import { openDatabase } from '../../mock/store/open-database.ts';
import { CliError } from '../cli-error.ts';
import type { MockOptions } from './mock-options.ts';

/** The store of the mocks of this process: a file with `--db`, else memory. */
export async function openMockDatabase({ db }: MockOptions): Promise<Database> {
  return explainStore(() => openDatabase(db === undefined ? {} : { file: db }));
}

/** A store that cannot be used is one line, whether it shows when opened or when migrated. */
export async function explainStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    throw new CliError('failed', { code: 'database', message: error.message, cause: error });
  }
}
