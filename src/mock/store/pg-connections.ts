import type { Client, ClientBase, ClientConfig, CustomTypesConfig, Pool } from 'pg';
import type { Row } from './database.ts';
import { StoreOpenError } from './errors.ts';
import { type Handshake, toOpenError } from './pg-errors.ts';
import { toDriverUrl } from './pg-url.ts';
import { SHARED_TABLES } from './tables.ts';

/** Milliseconds for one statement beside its wait, and for a process that has stopped in the middle of a transaction. */
const STATEMENT_TIME = 10_000;
const IDLE_TIME = 10_000;
const INTEGERS = new Set([21, 23]);
const BOOLEAN = 16;
/** What a server says that asks for a password. */
const ASKING = ['SASL', 'MD5Password', 'CleartextPassword'].map((how) => `authentication${how}`);

export type {
  Pool as PgPool,
  PoolClient as PgClient,
  QueryResult as PgResult,
} from 'pg';

export interface PostgresOptions {
  /** `postgres://…`; what it leaves out comes from PGHOST and its like, as the driver reads them. */
  readonly url: string;
  /** How long a statement waits for another transaction, in milliseconds. */
  readonly busyTimeout: number;
  /** Replaced in tests. */
  readonly loadDriver?: () => Promise<typeof import('pg')>;
}

/** Connections to one database. */
export interface PgConnections {
  /** Where they lead, without a password. */
  readonly at: string;
  newPool(max: number): Pool;
}

/**
 * Connects once, so that what is wrong shows at once.
 * @throws StoreOpenError, which shows no password.
 */
export async function connectPg(options: PostgresOptions): Promise<PgConnections> {
  const { url, busyTimeout, loadDriver = () => import('pg') } = options;
  const pg = await loadDriver().catch((error: unknown) => {
    throw isMissing(error) ? new StoreOpenError('no_driver') : error;
  });
  const connectionString = toDriverUrl(url);
  if (connectionString === undefined) throw new StoreOpenError('bad_address');
  const config = {
    connectionString,
    types: TYPES,
    keepAlive: true,
    connectionTimeoutMillis: Math.max(busyTimeout, 1000),
    // For a server that no longer answers: a live one cancels the statement before.
    query_timeout: busyTimeout + 2 * STATEMENT_TIME,
    fallback_application_name: 'agent-auth',
  };
  const VerifyingClient = verifying(pg.Client);
  let client: Client;
  try {
    client = new VerifyingClient(config);
  } catch (error) {
    // What is thrown may quote the URL.
    throw new StoreOpenError(hasCode(error) ? 'bad_tls_file' : 'bad_address');
  }
  const at = placeOf(client);
  await probe(client, at);
  // Once for each connection. A process that hangs in the middle of a transaction is cut off.
  const settings = [
    `SET lock_timeout = ${busyTimeout}`,
    `SET statement_timeout = ${busyTimeout + STATEMENT_TIME}`,
    `SET idle_in_transaction_session_timeout = ${IDLE_TIME}`,
  ].join('; ');
  const onConnect = async (connected: ClientBase) => {
    await connected.query(settings);
  };
  const newPool = (max: number) =>
    withoutCrash(
      new pg.Pool({ ...config, Client: VerifyingClient, pipeline: true, max, onConnect }),
    );
  return { at, newPool };
}

/**
 * The driver's client, which verifies unless the URL turns that off: where it says nothing, as in most
 * modes, NODE_TLS_REJECT_UNAUTHORIZED=0 would decide.
 */
function verifying(Base: typeof Client): typeof Client {
  return class VerifyingClient extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const connection = this.connection as {
        ssl?: boolean | { rejectUnauthorized?: boolean };
      };
      if (connection.ssl === true) connection.ssl = { rejectUnauthorized: true };
      // In place: it may hold a key that the driver keeps from being copied.
      else if (connection.ssl) connection.ssl.rejectUnauthorized ??= true;
    }
  };
}

/** Connects once, so that a failure shows at once, with its cause. */
async function probe(client: Client, at: string): Promise<void> {
  const seen = new Set<string>();
  for (const event of ['connect', 'sslconnect', ...ASKING]) {
    client.connection.once(event, () => seen.add(event));
  }
  client.on('error', () => {});
  try {
    await client.connect();
    await checkPgServer(async (sql) => (await client.query<Row>(sql)).rows[0], at);
  } catch (error) {
    const handshake: Handshake = {
      reached: seen.has('connect'),
      missesTls: Boolean(client.ssl) && !seen.has('sslconnect'),
      missesPassword: !client.password && ASKING.some((event) => seen.has(event)),
    };
    throw toOpenError(error, at, handshake);
  } finally {
    await client.end();
  }
}

/** An idle connection that breaks is no error: the pool opens another. */
function withoutCrash(pool: Pool): Pool {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The types as SQLite hands them over, but for 64-bit integers, which stay text. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (type) => (text: string) => {
    if (INTEGERS.has(type)) return Number(text);
    return type === BOOLEAN ? Number(text === 't') : text;
  },
};

/** Where a client goes, without its password. */
function placeOf({ user, host, port, database }: Client): string {
  const server = host.startsWith('/') ? host : `${host}:${port}`;
  return `postgres://${user ?? ''}@${server}/${database ?? ''}`;
}

function hasCode(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error && error.code !== 'ERR_INVALID_URL';
}

function isMissing(error: unknown): boolean {
  return hasCode(error) && error.code === 'ERR_MODULE_NOT_FOUND';
}

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
async function checkPgServer(
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
