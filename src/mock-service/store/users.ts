import { type Actor, userActor } from '../../mock/audit/audit.ts';
import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import { column, type Database, type Row, type Transaction } from '../../mock/store/database.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { SeedUser } from '../config/config.ts';
import { audit, type Cause } from './audit.ts';
import { findRegistrations } from './stored-registration.ts';

export interface User {
  readonly id: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** The issuer that made this account, if a provider did. */
  readonly provisionedBy: string | undefined;
  readonly createdAt: number;
  readonly signedInAt: number | undefined;
  /** When its owner decided to keep or end the link of the provider that made it. */
  readonly linkReviewedAt: number | undefined;
}

export class UserStore extends AtomicStore {
  readonly #random: Random;

  constructor(db: Database, clock: Clock, expired: ExpiredRows, random: Random) {
    super(db, clock, expired);
    this.#random = random;
  }

  /** Known users that others can be matched against. Once stored they stay as they are. */
  async seed(users: readonly SeedUser[]): Promise<void> {
    await this.change((tx, now) => this.seedWithin(tx, users, now));
  }

  /** Within a given transaction. */
  async seedWithin(tx: Transaction, users: readonly SeedUser[], now: number): Promise<void> {
    for (const user of users) {
      await tx.run(
        `INSERT INTO users (id, email, phone, name, created_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
        [randomToken(this.#random, 'usr_'), user.email, user.phone ?? null, user.name ?? null, now],
      );
    }
  }

  /** The account of an email; it is created at the first sign-in. Returns the user's id. */
  async signIn(email: string): Promise<string> {
    return this.change((tx, at) => this.signInWithin(tx, email, { actor: userActor(email), at }));
  }

  /** Within a given transaction. */
  async signInWithin(tx: Transaction, email: string, cause: Cause): Promise<string> {
    const fresh = randomToken(this.#random, 'usr_');
    const known = await tx.get('SELECT id FROM users WHERE email = ?', [email]);
    if (known !== undefined) {
      const id = column.text(known['id']);
      await tx.run('UPDATE users SET signed_in_at = COALESCE(signed_in_at, ?) WHERE id = ?', [
        cause.at,
        id,
      ]);
      return id;
    }
    await tx.run('INSERT INTO users (id, email, created_at, signed_in_at) VALUES (?, ?, ?, ?)', [
      fresh,
      email,
      cause.at,
      cause.at,
    ]);
    await audit(tx, cause, 'user.created', undefined);
    return fresh;
  }

  async find(id: string): Promise<User | undefined> {
    return this.read(async (reader) => {
      const row = await reader.get('SELECT * FROM users WHERE id = ?', [id]);
      return row && toUser(row);
    });
  }

  async recordLinkReview(id: string, actor: Actor, decision: 'keep' | 'end'): Promise<void> {
    await this.change(async (tx, at) => {
      await tx.run('UPDATE users SET link_reviewed_at = ? WHERE id = ?', [at, id]);
      await audit(tx, { actor, at }, 'link.reviewed', undefined, { decision });
    });
  }
}

export async function findUserBy(
  tx: Transaction,
  column: 'email' | 'phone',
  value: string,
): Promise<User | undefined> {
  const row = await tx.get(`SELECT * FROM users WHERE ${column} = ?`, [value]);
  return row && toUser(row);
}

/** Creates the account that a provider's ID-JAG names (wire contract §3, outcome 2). Returns the user's id. */
export async function provisionUser(
  tx: Transaction,
  now: number,
  user: {
    readonly id: string;
    readonly email: string | undefined;
    readonly phone: string | undefined;
    readonly issuer: string;
  },
): Promise<string> {
  await tx.run(
    'INSERT INTO users (id, email, phone, provisioned_by, created_at) VALUES (?, ?, ?, ?, ?)',
    [user.id, user.email ?? null, user.phone ?? null, user.issuer, now],
  );
  return user.id;
}

/**
 * Removes a provisioned user that never signed in and that nothing active names, so that a later
 * ID-JAG starts clean (wire contract §7).
 */
export async function removeOrphan(tx: Transaction, now: number, userId: string): Promise<void> {
  const orphan = `id = ? AND provisioned_by IS NOT NULL AND signed_in_at IS NULL AND NOT EXISTS
    (SELECT 1 FROM registrations r WHERE r.user_id = users.id AND r.revoked_at IS NULL)`;
  const row = await tx.get(`SELECT email FROM users WHERE ${orphan}`, [userId]);
  if (row === undefined) return;
  const named = await findRegistrations(tx, 'email = ? AND revoked_at IS NULL', [
    column.optionalText(row['email']) ?? null,
  ]);
  const isOpen = ({ claimedAt, needsClaim, windowEndsAt }: RegistrationFacts) =>
    claimedAt === undefined && needsClaim && windowEndsAt > now;
  if (named.some(({ facts }) => isOpen(facts))) return;
  await tx.run('DELETE FROM users WHERE id = ?', [userId]);
}

function toUser(row: Row): User {
  return {
    id: column.text(row['id']),
    email: column.optionalText(row['email']),
    phone: column.optionalText(row['phone']),
    provisionedBy: column.optionalText(row['provisioned_by']),
    createdAt: column.number(row['created_at']),
    signedInAt: column.optionalNumber(row['signed_in_at']),
    linkReviewedAt: column.optionalNumber(row['link_reviewed_at']),
  };
}
