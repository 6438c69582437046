import { column } from '../../mock/store/column.ts';
import type { Database, Transaction } from '../../mock/store/database.ts';
import type { ExpiredRows } from '../../mock/store/expired-rows.ts';
import type { Clock } from '../../runtime/ports.ts';

interface NewSignInToken {
  /** SHA-256 of the token. */
  readonly hash: string;
  /** The sign-in that it comes from: the hash of its device code. */
  readonly signIn: string;
  readonly clientId: string;
  readonly email: string;
  readonly scopes: readonly string[];
  /** What the sign-in was to give consent to as well. */
  readonly audience: string | undefined;
  /** In milliseconds. */
  readonly lifetime: number;
}

/** What an access token of the provider allows. */
export interface SignInToken {
  /** Whose sign-in it is of. */
  readonly clientId: string;
  readonly email: string;
  readonly scopes: readonly string[];
}

/** The access tokens that sign-ins end in; each method is one atomic change. */
export class SignInTokens {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #expired: ExpiredRows;

  constructor(db: Database, clock: Clock, expired: ExpiredRows) {
    this.#db = db;
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Ends the one that the same sign-in was given before. */
  async issue(token: NewSignInToken): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const { audience, clientId, signIn, email, hash, lifetime, scopes } = token;
      const now = this.#clock.now();
      // A consent that was not given, or is revoked by now, cannot take the token with it.
      const consent =
        audience !== undefined &&
        (await tx.get(
          `SELECT audience FROM consents
           WHERE email = ? AND audience = ? AND client = '' AND withdrawn_at IS NULL`,
          [email, audience],
        ));
      await tx.run(
        `INSERT INTO sign_in_tokens (sign_in, token_hash, client_id, email, scopes, audience, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (sign_in) DO UPDATE SET token_hash = excluded.token_hash,
           audience = excluded.audience, expires_at = excluded.expires_at`,
        [
          signIn,
          hash,
          clientId,
          email,
          scopes.join(' '),
          consent ? audience : null,
          now + lifetime,
        ],
      );
      await this.#expired.remove(tx, now);
    });
  }

  /** `undefined` for an unknown, expired, replaced or revoked token. */
  async find(hash: string): Promise<SignInToken | undefined> {
    const row = await this.#db.read((reader) =>
      reader.get('SELECT * FROM sign_in_tokens WHERE token_hash = ? AND expires_at > ?', [
        hash,
        this.#clock.now(),
      ]),
    );
    return (
      row && {
        clientId: column.text(row['client_id']),
        email: column.text(row['email']),
        scopes: column.list(row['scopes']),
      }
    );
  }
}

/** Ends the tokens of sign-ins that gave this consent. */
export async function dropTokens(tx: Transaction, email: string, audience: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_tokens WHERE email = ? AND audience = ?', [email, audience]);
}
