import type { Row } from './database.ts';
import { StoreOpenError } from './errors.ts';
import { SHARED_TABLES } from './tables.ts';

/** Tables of extensions belong to no program. */
const TABLES = `SELECT COUNT(*) FROM pg_class c
  WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema()))
    AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

const SERVER = `SELECT current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() AS is_standby,
  COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS may_create,
  (${TABLES}) AS tables,
  (SELECT COUNT(*) FROM pg_attribute WHERE attname = 'form' AND atttypid = 'text'::regtype
    AND attrelid = to_regclass(quote_ident(current_schema()) || '.table_sets')) AS table_sets`;

/** Every store of ours has this table, from its first transaction on. */
const OURS = `SELECT name FROM table_sets WHERE name = '${SHARED_TABLES.name}'`;

/**
 * Whether a server and its database can hold a store.
 * @param ask sends one statement and resolves to its first row.
 * @throws StoreOpenError
 */
export async function checkPgServer(
  ask: (sql: string) => Promise<Row | undefined>,
  at: string,
): Promise<void> {
  const server = (await ask(SERVER)) ?? {};
  if (server['encoding'] !== 'UTF8') throw new StoreOpenError('not_utf8', at);
  if (server['is_standby'] === 1) throw new StoreOpenError('read_only', at);
  if (server['may_create'] !== 1) throw new StoreOpenError('no_rights', at);
  if (server['tables'] === '0') return;
  if (server['table_sets'] === '0' || (await ask(OURS)) === undefined) {
    throw new StoreOpenError('foreign', at);
  }
}
