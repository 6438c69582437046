import { column } from '../../mock/store/column.ts';
import type { Transaction } from '../../mock/store/database.ts';
import type { IdJag } from '../id-jag/id-jag-checks.ts';
import { findNewest, type StoredRegistration } from './stored-registration.ts';
import { provisionUser } from './users.ts';

/** What accepting an ID-JAG reads and writes, each within its transaction. */
export interface IdJagQueries {
  /** The newest registration of its subject that is not revoked. */
  readonly findRegistration: (
    tx: Transaction,
    idJag: IdJag,
  ) => Promise<StoredRegistration | undefined>;
  /** Up to when ID-JAGs of its subject were revoked, in ms (wire contract §7). */
  readonly revokedUpTo: (tx: Transaction, idJag: IdJag) => Promise<number | undefined>;
  /** Whether an ID-JAG that is good now (ms) had it: one that has expired may stand there until it is removed. */
  readonly isUsed: (tx: Transaction, idJag: JtiOwner, now: number) => Promise<boolean>;
  readonly spend: (tx: Transaction, idJag: JtiOwner, until: number) => Promise<void>;
  readonly provisionUser: typeof provisionUser;
}

/** A `jti` is its issuer's own (RFC 7519 §4.1.7). */
type JtiOwner = Pick<IdJag, 'issuer' | 'jti'>;

export const ID_JAG_QUERIES: IdJagQueries = {
  findRegistration: (tx, { issuer, subject, tenant }) =>
    findNewest(tx, 'issuer = ? AND subject = ? AND tenant = ?', [issuer, subject, tenant]),

  async revokedUpTo(tx, { issuer, subject }) {
    const row = await tx.get(
      'SELECT revoked_at FROM subject_revocations WHERE issuer = ? AND subject = ?',
      [issuer, subject],
    );
    return column.optionalNumber(row?.['revoked_at']);
  },

  async isUsed(tx, { issuer, jti }, now) {
    const row = await tx.get(
      "SELECT jti FROM used_jtis WHERE kind = 'id-jag' AND issuer = ? AND jti = ? AND expires_at > ?",
      [issuer, jti, now],
    );
    return row !== undefined;
  },

  async spend(tx, { issuer, jti }, until) {
    await tx.run(
      `INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('id-jag', ?, ?, ?)
       ON CONFLICT (kind, issuer, jti) DO UPDATE SET expires_at = excluded.expires_at
         WHERE used_jtis.expires_at < excluded.expires_at`,
      [issuer, jti, until],
    );
  },

  provisionUser,
};
