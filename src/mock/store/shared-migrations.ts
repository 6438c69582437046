import type { Migration } from './migration.ts';

/**
 * Tables that both mocks use. `owner` is the mock that a row belongs to: `mock up --db FILE` puts both into one
 * file. Instants are milliseconds, secrets are hashes, except the private keys themselves.
 */
export const SHARED_MIGRATIONS: readonly Migration[] = [
  {
    id: 'mock-1',
    statements: [
      `CREATE TABLE signing_keys (
        owner TEXT NOT NULL,
        kid TEXT NOT NULL,
        algorithm TEXT NOT NULL,
        private_jwk TEXT NOT NULL,
        state TEXT NOT NULL,
        created_at BIGINT NOT NULL,
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
    ],
  },
  {
    id: 'mock-2',
    statements: [
      // From when on a key signs; the first ones of a store always did.
      'ALTER TABLE signing_keys ADD COLUMN signs_from BIGINT NOT NULL DEFAULT 0',
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
  },
  {
    id: 'mock-3',
    statements: [
      // `entry` counts up by itself, in whatever order transactions end. `seq` is given when the trail is
      // read: so no change waits for another one, and what is committed late is not missed.
      `CREATE TABLE audit_entries (
        entry INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        seq BIGINT,
        at BIGINT NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        registration_id TEXT,
        detail TEXT
      )`,
      `INSERT INTO audit_entries (owner, seq, at, actor, action, registration_id, detail)
       SELECT owner, seq, at, actor, action, registration_id, detail FROM audit ORDER BY owner, seq`,
      'DROP TABLE audit',
      'ALTER TABLE audit_entries RENAME TO audit',
      'CREATE UNIQUE INDEX audit_seq ON audit (owner, seq)',
      'CREATE INDEX audit_unnumbered ON audit (owner, entry) WHERE seq IS NULL',
    ],
  },
];
