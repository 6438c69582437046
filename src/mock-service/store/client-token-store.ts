import { type SpentAssertion, spendAssertion } from '../../mock/clients/client-assertions.ts';
import type { TokensOf } from '../../mock/controls/controls.ts';
import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Transaction } from '../../mock/store/database.ts';
import type { IdJag } from '../id-jag/id-jag-checks.ts';
import { audit } from './audit.ts';
import { ID_JAG_QUERIES } from './id-jag-store.ts';
import { findUserBy, provisionUser } from './users.ts';

/** The token that a client redeems an ID-JAG for: it is for one resource. */
export interface NewClientToken {
  readonly hash: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly expiresAt: number;
}

/** An active token of a client. */
export interface ClientToken extends Omit<NewClientToken, 'hash'> {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The account of the subject. */
  readonly userId: string;
  readonly issuedAt: number;
}

/** What a redemption is decided by beside the ID-JAG. */
export interface RedemptionRules {
  /** Whether an ID-JAG may be redeemed again until it expires. */
  readonly mayReuse: boolean;
  /** Whether an account is made for a subject that has none. */
  readonly makesAccounts: boolean;
  readonly clockSkew: number;
}

/** Why an ID-JAG that is authentic and in time is not redeemed. */
export type RedemptionRefusal = 'used' | 'revoked' | 'no_account';

const ACTIVE = `SELECT token.*, account.email FROM client_tokens AS token
  JOIN users AS account ON account.id = token.user_id
  WHERE token.hash = ? AND token.expires_at > ?`;

/** The tokens that clients redeem ID-JAGs for. */
export class ClientTokenStore extends AtomicStore {
  /** The one atomic change of a redemption: the `jti` is spent together with what it buys. */
  async redeem(
    idJag: IdJag,
    token: NewClientToken,
    {
      freshUserId,
      now,
      rules,
    }: { readonly freshUserId: string; readonly now: number; readonly rules: RedemptionRules },
  ): Promise<RedemptionRefusal | undefined> {
    return this.change(async (tx) => {
      if (!rules.mayReuse && (await ID_JAG_QUERIES.isUsed(tx, idJag, now))) return 'used';
      const revokedUpTo = await ID_JAG_QUERIES.revokedUpTo(tx, idJag);
      if (revokedUpTo !== undefined && idJag.issuedAt <= revokedUpTo) return 'revoked';
      const known = await accountOf(tx, idJag);
      if (known === undefined && !rules.makesAccounts) return 'no_account';
      const userId = known ?? (await makeAccount(tx, idJag, freshUserId, now));
      await ID_JAG_QUERIES.spend(tx, idJag, idJag.expiresAt + rules.clockSkew);
      await tx.run(
        `INSERT INTO client_tokens (hash, client_id, user_id, issuer, subject, id_jag_email, scopes,
           resource, id_jag_issued_at, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          token.hash,
          token.clientId,
          userId,
          idJag.issuer,
          idJag.subject,
          idJag.email ?? null,
          token.scopes.join(' '),
          token.resource,
          idJag.issuedAt,
          now,
          token.expiresAt,
        ],
      );
      await audit(tx, { actor: `provider ${idJag.issuer}`, at: now }, 'token.issued', undefined, {
        client: token.clientId,
        scope: token.scopes.join(' '),
      });
      return undefined;
    });
  }

  /** `undefined` for an unknown, expired or revoked token. */
  async find(hash: string): Promise<ClientToken | undefined> {
    const row = await this.read((reader, now) => reader.get(ACTIVE, [hash, now]));
    if (row === undefined) return undefined;
    return {
      clientId: column.text(row['client_id']),
      scopes: column.list(row['scopes']),
      resource: column.text(row['resource']),
      issuer: column.text(row['issuer']),
      subject: column.text(row['subject']),
      email: column.optionalText(row['email']),
      userId: column.text(row['user_id']),
      issuedAt: column.number(row['issued_at']),
      expiresAt: column.number(row['expires_at']),
    };
  }

  /** Ends one token (RFC 7009 §2.1): only its own client may. */
  async revoke(hash: string, clientId: string): Promise<void> {
    await this.change(async (tx, at) => {
      const changed = await tx.run('DELETE FROM client_tokens WHERE hash = ? AND client_id = ?', [
        hash,
        clientId,
      ]);
      if (changed > 0) await audit(tx, { actor: 'agent', at }, 'token.revoked', undefined);
    });
  }

  /**
   * Ends the tokens of a user and a client; left out: of every one.
   * @returns how many there were.
   */
  async end(tx: Transaction, { clientId, email }: TokensOf): Promise<number> {
    const conditions = [
      ...(clientId === undefined ? [] : ['client_id = ?']),
      ...(email === undefined
        ? []
        : ['(id_jag_email = ? OR user_id IN (SELECT id FROM users WHERE email = ?))']),
    ];
    return tx.run(
      `DELETE FROM client_tokens WHERE ${['1 = 1', ...conditions].join(' AND ')}`,
      [clientId, email, email].filter((value) => value !== undefined),
    );
  }

  /** Whether a client assertion was not taken before; from then on it was (RFC 7523 §3). */
  async spend(assertion: SpentAssertion): Promise<boolean> {
    return this.change((tx, now) => spendAssertion(tx, 'service', assertion, now));
  }
}

async function accountOf(
  tx: Transaction,
  { issuer, subject, tenant }: IdJag,
): Promise<string | undefined> {
  const row = await tx.get(
    'SELECT user_id FROM subject_accounts WHERE issuer = ? AND tenant = ? AND subject = ?',
    [issuer, tenant, subject],
  );
  return column.optionalText(row?.['user_id']);
}

/** An email of another account links nothing: this one then has none (draft-ietf-oauth-identity-assertion-authz-grant §3.1). */
async function makeAccount(
  tx: Transaction,
  { email, issuer, subject, tenant }: IdJag,
  id: string,
  now: number,
): Promise<string> {
  const isTaken = email !== undefined && (await findUserBy(tx, 'email', email)) !== undefined;
  await provisionUser(tx, now, {
    id,
    email: isTaken ? undefined : email,
    phone: undefined,
    issuer,
  });
  await tx.run(
    'INSERT INTO subject_accounts (issuer, tenant, subject, user_id) VALUES (?, ?, ?, ?)',
    [issuer, tenant, subject, id],
  );
  return id;
}
