import { sha256 } from '../../runtime/index.ts';
import type { Database } from './database.ts';
import { StoreOpenError } from './errors.ts';

/** The tables of one owner, as they are made. Several owners may live in one database. */
export interface TableSet {
  /** Whose they are: `service`. */
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Tables that both mocks use. `owner` is the mock that a row belongs to: `mock up --db FILE` puts both into one
 * file. Instants are milliseconds, secrets are hashes, except the private keys themselves.
 */
export const SHARED_TABLES: TableSet = {
  name: 'mock',
  statements: [
    // `signs_from`: from when on a key signs; the first ones of a store always did.
    `CREATE TABLE signing_keys (
      owner TEXT NOT NULL,
      kid TEXT NOT NULL,
      algorithm TEXT NOT NULL,
      private_jwk TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      signs_from BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (owner, kid)
    )`,
    `CREATE TABLE sessions (
      owner TEXT NOT NULL,
      id_hash TEXT NOT NULL,
      csrf_token TEXT NOT NULL,
      user_key TEXT,
      email TEXT,
      signed_in_at BIGINT,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (owner, id_hash)
    )`,
    'CREATE INDEX sessions_expiry ON sessions (expires_at)',
    `CREATE TABLE settings (
      owner TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (owner, name)
    )`,
    `CREATE TABLE audit (
      owner TEXT NOT NULL,
      seq BIGINT NOT NULL,
      at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      registration_id TEXT,
      detail TEXT,
      PRIMARY KEY (owner, seq)
    )`,
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
    for (const { name, statements } of [SHARED_TABLES, ...sets]) {
      const form = sha256(statements.join(';').replace(/\s+/g, ' '));
      const made = await tx.get('SELECT form FROM table_sets WHERE name = ?', [name]);
      if (made !== undefined) {
        if (made['form'] !== form) throw new StoreOpenError('other_version');
        continue;
      }
      for (const statement of statements) await tx.run(statement);
      await tx.run('INSERT INTO table_sets (name, form) VALUES (?, ?)', [name, form]);
    }
  });
}
