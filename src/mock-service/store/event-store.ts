import type { Database, Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import { audit, type Cause } from './audit.ts';
import type { EventSteps, SubjectRevocation } from './event-steps.ts';
import { EVENT_JTI_RETENTION, purge } from './retention.ts';

/** A verified security event. */
export interface SubjectEvent {
  readonly issuer: string;
  readonly jti: string;
  /** Set when the event revokes. */
  readonly revokes: SubjectRevocation | undefined;
}

/** Stores the effect of security events: each once, however often it is delivered. */
export class EventStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #steps: () => EventSteps;

  constructor(db: Database, clock: Clock, steps: () => EventSteps) {
    this.#db = db;
    this.#clock = clock;
    this.#steps = steps;
  }

  /** Resolves once the effect is stored. */
  async receive({ issuer, jti, revokes }: SubjectEvent): Promise<'done' | 'repeated'> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const inserted = await tx.run(
        `INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('event', ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        [issuer, jti, now + EVENT_JTI_RETENTION],
      );
      if (inserted === 0) return 'repeated';
      const cause: Cause = { actor: `provider ${issuer}`, at: now };
      await purge(tx, now);
      await audit(tx, cause, 'event.received', undefined, { jti });
      if (revokes) await this.#revoke(tx, revokes, cause);
      return 'done';
    });
  }

  async #revoke(tx: Transaction, revocation: SubjectRevocation, cause: Cause): Promise<void> {
    const { remember, registrationsOf, endRegistration, endOlderCredentials } = this.#steps();
    await remember(tx, revocation, cause.at);
    for (const registration of await registrationsOf(tx, revocation)) {
      const isNewer = (registration.idJagIssuedAt ?? 0) > revocation.upTo;
      const end = isNewer ? endOlderCredentials : endRegistration;
      await end(tx, registration, revocation, cause);
    }
  }
}
