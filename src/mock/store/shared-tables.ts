import type { TableSet } from './table-set.ts';

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
    // `entry` counts up by itself, in whatever order transactions end. `seq` is given when the trail is
    // read: so no change waits for another one, and what is committed late is not missed.
    `CREATE TABLE audit (
      entry INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      seq BIGINT,
      at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      registration_id TEXT,
      detail TEXT
    )`,
    'CREATE UNIQUE INDEX audit_seq ON audit (owner, seq)',
    'CREATE INDEX audit_unnumbered ON audit (owner, entry) WHERE seq IS NULL',
  ],
};
