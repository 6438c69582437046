import { realpathSync } from 'node:fs';
import { type Database, StoreBusyError, StoreOpenError } from '../../../mock/store/database.ts';
import { openDatabase } from '../../../mock/store/open-database.ts';
import { hasPassword, isDatabaseUrl } from '../../../mock/store/pg-url.ts';
import { displayText } from '../../../protocol/text.ts';
import { CliError, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { RuntimeFiles } from '../../shell/runtime-files.ts';
import type { MockOptions } from './mock-options.ts';

/**
 * The store of the mocks of this process: what `--db` names, else what AGENT_AUTH_DB names, else memory.
 * @throws CliError (usage) for a URL with a password in `--db` or in the configuration file, for a file in a
 *   folder that does not exist, and for one that another process uses.
 */
export async function openMockDatabase(
  context: Pick<Context, 'world'>,
  options: MockOptions,
): Promise<Database> {
  const { world } = context;
  const { db } = options;
  if (db !== undefined && isDatabaseUrl(db) && hasPassword(db)) {
    throw usageError(
      '--db takes no URL with a password: other users of this machine could read it.',
      {
        code: 'password_in_argument',
        hint: 'Leave it out and set PGPASSWORD, or put the whole URL into AGENT_AUTH_DB.',
      },
    );
  }
  const named = db ?? world.environment.database;
  if (named === undefined) return explainStore(() => openDatabase());
  if (isDatabaseUrl(named)) return explainStore(() => openDatabase({ address: named }));
  try {
    return await explainStore(() => openDatabase({ file: named }));
  } catch (error) {
    const { cause } = error instanceof CliError ? error : {};
    if (!(cause instanceof StoreOpenError)) throw error;
    if (cause.code === 'in_use') throw inUse(context, named, cause);
    if (cause.code !== 'not_found') throw error;
    // A value that was given wrong, like any other; where it came from is where it is mended.
    const option = db === undefined ? 'AGENT_AUTH_DB' : '--db';
    const hint = 'Create it first, or name another file.';
    const message = `The folder of the ${option} file ${displayText(named)} does not exist.`;
    throw usageError(message, { hint, cause });
  }
}

/** The real path of the file that {@link openMockDatabase} opened; `undefined` for another place. */
export function databaseFile(
  { world }: Pick<Context, 'world'>,
  { db }: MockOptions,
): string | undefined {
  const named = db ?? world.environment.database;
  return named === undefined || isDatabaseUrl(named) ? undefined : realpathSync(named);
}

/** Names the mock of this user that has the file. */
function inUse({ world }: Pick<Context, 'world'>, file: string, cause: StoreOpenError): CliError {
  const path = realpathSync(file);
  const mock = new RuntimeFiles(world.environment).list().find(({ database }) => database === path);
  const url = mock?.service ?? mock?.provider;
  const message =
    url == null
      ? cause.message
      : `The database file ${displayText(file)} is in use by your mock at ${url}, and is for one process alone.`;
  const hint = 'Use the mock that runs, or name another file; mock up serves both mocks from one.';
  return usageError(message, { code: 'database_in_use', hint, cause });
}

/** Explains a database that cannot be used, whether it fails on opening or on making its tables. */
export async function explainStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreBusyError) {
      throw new CliError('failed', {
        code: 'database_busy',
        message: 'The server of the database is busy, or gone.',
        hint: 'Try again later.',
        cause: error,
      });
    }
    if (!(error instanceof StoreOpenError)) throw error;
    if (error.code === 'other_version') {
      const hint = 'Type: agent-auth mock up --db FILE, with a file that is not there yet.';
      throw usageError(error.message, { code: 'database_version', hint, cause: error });
    }
    throw new CliError('failed', { code: 'database', message: error.message, cause: error });
  }
}
