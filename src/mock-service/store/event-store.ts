import type { Database, Faults, Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import { MAX_ID_JAG_LIFETIME } from '../lifetimes.ts';
import { audit } from './audit.ts';
import type { RegistrationStore } from './registration-store.ts';
import { EVENT_JTI_RETENTION, purge } from './retention.ts';
import { type StoredRegistration, toRegistration } from './rows.ts';
import { removeOrphan } from './users.ts';

/** A verified security event; times in ms. */
export interface SubjectEvent {
  readonly issuer: string;
  readonly jti: string;
  /** Set when the event revokes what rests on this subject's ID-JAGs. */
  readonly revokes: { readonly subject: string; readonly upTo: number } | undefined;
}

/** Stores the effect of security events: each once, however often it is delivered. */
export class EventStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #registrations: RegistrationStore;
  readonly #faults: Faults<ServiceFault>;

  constructor(
    db: Database,
    clock: Clock,
    registrations: RegistrationStore,
    faults: Faults<ServiceFault>,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#registrations = registrations;
    this.#faults = faults;
  }

  /** Resolves once the effect is stored. */
  async receive(event: SubjectEvent): Promise<'done' | 'repeated'> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const inserted = await tx.run(
        `INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('event', ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        [event.issuer, event.jti, now + EVENT_JTI_RETENTION],
      );
      if (inserted === 0) {
        const { revokes } = event;
        if (revokes && this.#faults.has('eventActsAgain')) {
          await this.#revoke(tx, now, event.issuer, revokes.subject, now);
        }
        return 'repeated';
      }
      await purge(tx, now);
      await audit(tx, { actor: `provider ${event.issuer}`, at: now }, 'event.received', undefined, {
        jti: event.jti,
      });
      if (event.revokes) {
        await this.#revoke(tx, now, event.issuer, event.revokes.subject, event.revokes.upTo);
      }
      return 'done';
    });
  }

  async #revoke(
    tx: Transaction,
    now: number,
    issuer: string,
    subject: string,
    upTo: number,
  ): Promise<void> {
    // Kept for longer than an ID-JAG from before it could still be presented (SET-10).
    const keptFor = 2 * MAX_ID_JAG_LIFETIME;
    await tx.run(
      `INSERT INTO subject_revocations (issuer, subject, revoked_at, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (issuer, subject) DO UPDATE SET
         revoked_at = CASE WHEN subject_revocations.revoked_at > excluded.revoked_at
                           THEN subject_revocations.revoked_at ELSE excluded.revoked_at END,
         expires_at = CASE WHEN subject_revocations.expires_at > excluded.expires_at
                           THEN subject_revocations.expires_at ELSE excluded.expires_at END`,
      [issuer, subject, upTo, Math.max(now, upTo) + keptFor],
    );
    const anyIssuer = this.#faults.has('eventOfAnyIssuer');
    const byPrefix = this.#faults.has('eventByPrefix');
    const rows = await tx.all(
      `SELECT * FROM registrations WHERE ${anyIssuer ? "issuer <> ''" : 'issuer = ?'}
         AND subject ${byPrefix ? 'LIKE' : '='} ? AND revoked_at IS NULL`,
      [...(anyIssuer ? [] : [issuer]), byPrefix ? `${subject}%` : subject],
    );
    for (const row of rows) await this.#end(tx, now, issuer, toRegistration(row), upTo);
  }

  async #end(
    tx: Transaction,
    now: number,
    issuer: string,
    registration: StoredRegistration,
    upTo: number,
  ): Promise<void> {
    const { id, userId } = registration.facts;
    if (this.#faults.has('eventLeavesTokens')) {
      // The registration is left as well: a token dies with it.
      await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
      await tx.run("UPDATE registrations SET subject = '' WHERE id = ?", [id]);
      return;
    }
    if (this.#faults.has('registrationOutlivesEvent')) {
      await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [id]);
      await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
      return;
    }
    if (this.#faults.has('eventForgottenByIdJag')) {
      // Hidden until the next ID-JAG finds the registration again.
      await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [id]);
      await tx.run('UPDATE registrations SET revoked_at = ? WHERE id = ?', [now, id]);
      return;
    }
    if ((registration.idJagIssuedAt ?? 0) <= upTo) {
      const actor = `provider ${issuer}` as const;
      await this.#registrations.decideWithin(tx, 'revoke', registration, actor, {});
      if (userId !== undefined) await removeOrphan(tx, now, userId);
      return;
    }
    // A newer ID-JAG keeps the registration alive; what rests on the older ones ends.
    await tx.run('DELETE FROM access_tokens WHERE registration_id = ? AND id_jag_issued_at <= ?', [
      id,
      upTo,
    ]);
    await tx.run('DELETE FROM assertions WHERE registration_id = ? AND id_jag_issued_at <= ?', [
      id,
      upTo,
    ]);
    await audit(tx, { actor: `provider ${issuer}`, at: now }, 'credentials.ended', id);
  }
}
