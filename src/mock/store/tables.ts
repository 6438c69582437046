import { sha256 } from '../../runtime/hash.ts';
import type { Database, Transaction } from './database.ts';
import { StoreOpenError } from './errors.ts';

/** A table, as both stores make it. */
export interface Table {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: string;
  /** All columns, in SQL. */
  readonly columns: string;
  /** The columns of each further index. */
  readonly indexes?: readonly string[];
  /** The column of the instant (ms) from which on a row is of no use. */
  readonly endsAt?: string;
}

/** The tables of one owner. Several owners may live in one database. */
export interface TableSet {
  /** Whose they are: `service`. */
  readonly name: string;
  readonly tables: readonly Table[];
}

/**
 * Tables that both mocks use. `owner` is the mock that a row belongs to: `mock up --db FILE` puts both into one
 * file. Instants are milliseconds, secrets are hashes, except the private keys themselves.
 */
export const SHARED_TABLES: TableSet = {
  name: 'mock',
  tables: [
    // `signs_from`: from when on a key signs; the first ones of a store always did.
    {
      name: 'signing_keys',
      key: 'owner, kid',
      columns: `
        owner TEXT NOT NULL,
        kid TEXT NOT NULL,
        algorithm TEXT NOT NULL,
        private_jwk TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        signs_from BIGINT NOT NULL DEFAULT 0`,
    },
    {
      name: 'sessions',
      key: 'owner, id_hash',
      columns: `
        owner TEXT NOT NULL,
        id_hash TEXT NOT NULL,
        csrf_token TEXT NOT NULL,
        user_key TEXT,
        email TEXT,
        signed_in_at BIGINT,
        expires_at BIGINT NOT NULL`,
      endsAt: 'expires_at',
    },
    {
      name: 'settings',
      key: 'owner, name',
      columns: `
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL`,
    },
    {
      name: 'audit',
      key: 'owner, seq',
      columns: `
        owner TEXT NOT NULL,
        seq BIGINT NOT NULL,
        at BIGINT NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        registration_id TEXT,
        detail TEXT`,
    },
  ],
};

/**
 * Makes the tables that both mocks share and the given ones, each set once. There is one form of each: nothing is
 * carried over from another one.
 * @throws StoreOpenError when a set was made by another version.
 */
export async function createTables(db: Database, sets: readonly TableSet[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(
      'CREATE TABLE IF NOT EXISTS table_sets (name TEXT PRIMARY KEY, form TEXT NOT NULL)',
    );
    for (const { name, tables } of [SHARED_TABLES, ...sets]) {
      const statements = tables.flatMap(statementsOf).join(';');
      const form = sha256(statements.replace(/\s+/g, ' '));
      const made = await tx.get('SELECT form FROM table_sets WHERE name = ?', [name]);
      if (made !== undefined) {
        if (made['form'] !== form) throw new StoreOpenError('other_version');
        continue;
      }
      // An owner may have no tables of its own.
      if (statements !== '') await tx.run(statements);
      await tx.run('INSERT INTO table_sets (name, form) VALUES (?, ?)', [name, form]);
    }
  });
}

/** Whatever agents and users have brought into them. */
export async function emptyTables(tx: Transaction, { tables }: TableSet): Promise<void> {
  for (const { name } of tables) await tx.run(`DELETE FROM ${name}`);
}

function statementsOf({ columns, endsAt, indexes = [], key, name }: Table): readonly string[] {
  const indexed = endsAt === undefined ? indexes : [...indexes, endsAt];
  return [
    `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${key}))`,
    ...indexed.map((on, at) => `CREATE INDEX ${name}_${at} ON ${name} (${on})`),
  ];
}
