import { recordAudit, userActor } from '../../mock/audit/audit.ts';
import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import {
  column,
  type Database,
  type Reader,
  type Row,
  type Transaction,
} from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { ProviderUser } from '../config/config.ts';

export interface User {
  /** Normalized; the key of everything that belongs to the user. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly tenant: string | undefined;
}

export class UserStore extends AtomicStore {
  readonly #tenant: string | undefined;

  /** @param tenant of users that have none of their own. */
  constructor(db: Database, clock: Clock, expired: ExpiredRows, tenant?: string) {
    super(db, clock, expired);
    this.#tenant = tenant;
  }

  /** Stores configured users; what is configured now counts, not what was before. */
  seed(users: readonly ProviderUser[]): Promise<void> {
    return this.change((tx, now) => this.seedWithin(tx, users, now));
  }

  /** Within a given transaction. */
  async seedWithin(tx: Transaction, users: readonly ProviderUser[], now: number): Promise<void> {
    for (const { email, emailVerified = true, name, phone, tenant } of users) {
      const profile = [emailVerified ? 1 : 0, name ?? null, phone ?? null, tenant ?? null];
      await tx.run(
        `INSERT INTO provider_users (email, email_verified, name, phone, tenant, created_at)
             VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (email) DO UPDATE SET email_verified = excluded.email_verified,
               name = excluded.name, phone = excluded.phone, tenant = excluded.tenant`,
        [email, ...profile, now],
      );
    }
  }

  /** Makes the account at its first sign-in. */
  signIn(email: string): Promise<void> {
    return this.change(async (tx, at) => {
      const made = await tx.run(
        `INSERT INTO provider_users (email, email_verified, created_at) VALUES (?, 1, ?)
         ON CONFLICT DO NOTHING`,
        [email, at],
      );
      if (made === 0) return;
      const actor = userActor(email);
      await recordAudit(tx, { owner: 'provider', at, actor, action: 'user.created' });
    });
  }

  find(email: string): Promise<User | undefined> {
    return this.read((reader) => this.findWithin(reader, email));
  }

  /** Within a given transaction. */
  async findWithin(reader: Reader, email: string): Promise<User | undefined> {
    const row = await reader.get('SELECT * FROM provider_users WHERE email = ?', [email]);
    return row && toUser(row, this.#tenant);
  }
}

function toUser(row: Row, tenant: string | undefined): User {
  return {
    email: column.text(row['email']),
    emailVerified: column.number(row['email_verified']) === 1,
    name: column.optionalText(row['name']),
    phone: column.optionalText(row['phone']),
    tenant: column.optionalText(row['tenant']) ?? tenant,
  };
}
