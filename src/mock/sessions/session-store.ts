import { column } from '../store/column.ts';
import type { Database, Transaction } from '../store/database.ts';
import { ExpiredRows } from '../store/expired-rows.ts';
import { SHARED_TABLES } from '../store/tables.ts';

/** Whose sessions they are: both mocks may share a database. */
export type SessionOwner = 'service' | 'provider';

/** A session as stored; its id only as a hash. Instants in milliseconds. */
export interface StoredSession {
  readonly idHash: string;
  readonly csrfToken: string;
  readonly userKey: string | undefined;
  readonly email: string | undefined;
  readonly signedInAt: number | undefined;
  readonly expiresAt: number;
}

export class SessionStore {
  readonly #db: Database;
  readonly #owner: SessionOwner;
  readonly #expired = new ExpiredRows(SHARED_TABLES.tables);

  constructor(db: Database, owner: SessionOwner) {
    this.#db = db;
    this.#owner = owner;
  }

  /** A session that has not expired at `now`. */
  async find(idHash: string, now: number): Promise<StoredSession | undefined> {
    return this.#db.read(async (reader) => {
      const row = await reader.get(
        `SELECT csrf_token, user_key, email, signed_in_at, expires_at FROM sessions
         WHERE owner = ? AND id_hash = ? AND expires_at > ?`,
        [this.#owner, idHash, now],
      );
      return (
        row && {
          idHash,
          csrfToken: column.text(row['csrf_token']),
          userKey: column.optionalText(row['user_key']),
          email: column.optionalText(row['email']),
          signedInAt: column.optionalNumber(row['signed_in_at']),
          expiresAt: column.number(row['expires_at']),
        }
      );
    });
  }

  /** Stores a session in place of another one, and removes expired ones. */
  async replace(oldIdHash: string | undefined, session: StoredSession, now: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      if (oldIdHash !== undefined) await this.#remove(tx, oldIdHash);
      await tx.run(
        `INSERT INTO sessions (owner, id_hash, csrf_token, user_key, email, signed_in_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [
          this.#owner,
          session.idHash,
          session.csrfToken,
          session.userKey ?? null,
          session.email ?? null,
          session.signedInAt ?? null,
          session.expiresAt,
        ],
      );
      await this.#expired.remove(tx, now);
    });
  }

  async remove(idHash: string): Promise<void> {
    await this.#db.transaction((tx) => this.#remove(tx, idHash));
  }

  async #remove(tx: Transaction, idHash: string): Promise<void> {
    await tx.run('DELETE FROM sessions WHERE owner = ? AND id_hash = ?', [this.#owner, idHash]);
  }
}
