import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Transaction } from '../../mock/store/database.ts';

interface NewSignInToken extends SignInToken {
  /** SHA-256 of the token. */
  readonly hash: string;
  /** The sign-in that it comes from: the hash of its device code, or of its authorization code. */
  readonly signIn: string;
  /** What the sign-in was to give consent to as well. */
  readonly audience?: string | undefined;
  /** How long the token lives, in milliseconds. */
  readonly lifetime: number;
}

/** What an access token of the provider allows. */
export interface SignInToken {
  /** Whose sign-in it is of. */
  readonly clientId: string;
  readonly email: string;
  readonly scopes: readonly string[];
}

/** The access tokens that sign-ins end in. */
export class SignInTokens extends AtomicStore {
  /** Ends the one that the same sign-in was given before. */
  issue(token: NewSignInToken): Promise<void> {
    return this.change((tx, now) => issueToken(tx, token, now));
  }

  /** `undefined` for an unknown, expired, replaced or revoked token. */
  async find(hash: string): Promise<SignInToken | undefined> {
    const row = await this.read((reader, now) =>
      reader.get('SELECT * FROM sign_in_tokens WHERE token_hash = ? AND expires_at > ?', [
        hash,
        now,
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

/** Issues a token in place of the one that the same sign-in was given before. */
export async function issueToken(
  tx: Transaction,
  { audience, clientId, signIn, email, hash, lifetime, scopes }: NewSignInToken,
  now: number,
): Promise<void> {
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
    [signIn, hash, clientId, email, scopes.join(' '), consent ? audience : null, now + lifetime],
  );
}
