import { type SpentAssertion, spendAssertion } from '../../mock/clients/client-assertions.ts';
import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Row, type Transaction } from '../../mock/store/database.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { OFFLINE_ACCESS } from '../mint/scopes.ts';
import { issueToken } from './sign-in-tokens.ts';

/** How long an authorization code works (RFC 6749 §4.1.2: ten minutes at most). */
const CODE_LIFETIME = MINUTE;
/** How long a code is known after that, so that a second use ends what the first one gave. */
const CODE_RETENTION = HOUR;
const REFRESH_LIFETIME = 30 * 24 * HOUR;

/** What a user signed in to a client for. */
export interface ClientSession {
  readonly clientId: string;
  readonly email: string;
  readonly scopes: readonly string[];
  /** When the user signed in, in milliseconds. */
  readonly authTime: number;
}

export interface NewCode extends ClientSession {
  readonly hash: string;
  readonly redirectUri: string;
  /** The challenge of PKCE, by S256 (RFC 7636 §4.2). */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
}

/** What comes of a code or a refresh token: hashes of what its client is told. */
export interface FreshTokens {
  readonly accessHash: string;
  /** How long the access token lives, in milliseconds. */
  readonly accessLifetime: number;
  /** The hash of the refresh token, which is of no use to a session without {@link OFFLINE_ACCESS}. */
  readonly refreshHash: string;
}

/** What a token request shows beside its code. */
export interface CodeUse {
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  /** S256 of the verifier. */
  readonly challenge: string | undefined;
}

/** Authorization codes and refresh tokens of clients. */
export class CodeStore extends AtomicStore {
  async issue(code: NewCode): Promise<void> {
    await this.change((tx, now) =>
      tx.run(
        `INSERT INTO authorization_codes (hash, client_id, email, expires_at, purge_at, code)
         VALUES (?, ?, ?, ?, ?, ?)`,
        [
          code.hash,
          code.clientId,
          code.email,
          now + CODE_LIFETIME,
          now + CODE_LIFETIME + CODE_RETENTION,
          JSON.stringify(code),
        ],
      ),
    );
  }

  /**
   * Redeems a code, once. `undefined` where it is not good for this request; a second use by its client ends the
   * tokens of the first one (RFC 6749 §4.1.2).
   */
  redeem(hash: string, use: CodeUse, fresh: FreshTokens): Promise<NewCode | undefined> {
    return this.change(async (tx, now) => {
      const row = await tx.get('SELECT * FROM authorization_codes WHERE hash = ?', [hash]);
      if (row === undefined || row['client_id'] !== use.clientId) return undefined;
      if (column.optionalNumber(row['used_at']) !== undefined) {
        await endFamily(tx, hash);
        return undefined;
      }
      const code = JSON.parse(column.text(row['code'])) as NewCode;
      const isGood =
        column.number(row['expires_at']) > now &&
        code.redirectUri === use.redirectUri &&
        code.challenge === use.challenge;
      if (!isGood) return undefined;
      await tx.run('UPDATE authorization_codes SET used_at = ? WHERE hash = ?', [now, hash]);
      await give(tx, hash, code, fresh, now);
      return code;
    });
  }

  /** What a sign-in by device code ends in. Given once more, it ends what was given before. */
  grant(family: string, session: ClientSession, fresh: FreshTokens): Promise<void> {
    return this.change(async (tx, now) => {
      await endFamily(tx, family);
      await give(tx, family, session, fresh, now);
    });
  }

  /** The session of a refresh token that is good now. */
  async findRefreshToken(hash: string, clientId: string): Promise<ClientSession | undefined> {
    const row = await this.read((reader, now) =>
      reader.get(
        'SELECT * FROM client_refresh_tokens WHERE hash = ? AND client_id = ? AND spent_at IS NULL AND expires_at > ?',
        [hash, clientId, now],
      ),
    );
    return row && toSession(row);
  }

  /** Trades a refresh token for the next one. A second time, somebody has a copy: all of them end (RFC 9700 §4.14.2). */
  rotate(hash: string, clientId: string, fresh: FreshTokens): Promise<ClientSession | undefined> {
    return this.change(async (tx, now) => {
      const row = await tx.get('SELECT * FROM client_refresh_tokens WHERE hash = ?', [hash]);
      if (row === undefined || row['client_id'] !== clientId) return undefined;
      const family = column.text(row['family']);
      if (column.optionalNumber(row['spent_at']) !== undefined) {
        await endFamily(tx, family);
        return undefined;
      }
      if (column.number(row['expires_at']) <= now) return undefined;
      await tx.run('UPDATE client_refresh_tokens SET spent_at = ? WHERE hash = ?', [now, hash]);
      const session = toSession(row);
      await give(tx, family, session, fresh, now);
      return session;
    });
  }

  /** Whether a client assertion was not taken before; from then on it was (RFC 7523 §3). */
  spend(assertion: SpentAssertion): Promise<boolean> {
    return this.change((tx, now) => spendAssertion(tx, 'provider', assertion, now));
  }
}

/** Stores tokens in the transaction of what gives them, so that whatever ends the family ends them. */
async function give(
  tx: Transaction,
  family: string,
  { authTime, clientId, email, scopes }: ClientSession,
  { accessHash, accessLifetime, refreshHash }: FreshTokens,
  now: number,
): Promise<void> {
  const access = { hash: accessHash, signIn: family, lifetime: accessLifetime };
  await issueToken(tx, { ...access, clientId, email, scopes }, now);
  if (!scopes.includes(OFFLINE_ACCESS)) return;
  const session: ClientSession = { clientId, email, scopes, authTime };
  await tx.run(
    `INSERT INTO client_refresh_tokens (hash, family, client_id, email, expires_at, session)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [refreshHash, family, clientId, email, now + REFRESH_LIFETIME, JSON.stringify(session)],
  );
}

/** Ends the refresh tokens and the access token that came of a sign-in. */
async function endFamily(tx: Transaction, family: string): Promise<void> {
  await tx.run('DELETE FROM client_refresh_tokens WHERE family = ?', [family]);
  await tx.run('DELETE FROM sign_in_tokens WHERE sign_in = ?', [family]);
}

function toSession(row: Row): ClientSession {
  return JSON.parse(column.text(row['session'])) as ClientSession;
}
