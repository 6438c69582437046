import type { Database, Transaction } from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import { audit, type Cause } from './audit.ts';
import { type EventSteps, eventSteps, type SubjectRevocation } from './event-steps.ts';
import type { RegistrationStore } from './registration-store.ts';
import { EVENT_JTI_RETENTION } from './retention.ts';

/** A verified security event. */
export interface SubjectEvent {
  readonly issuer: string;
  readonly jti: string;
  /** Set when the event revokes. */
  readonly revokes: SubjectRevocation | undefined;
}

/** The store, as the mock is wired now. */
interface Wired {
  readonly events: Pick<EventStore, 'steps'>;
}

/** Stores the effect of security events: each once, however often it is delivered. */
export class EventStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #registrations: RegistrationStore;
  readonly #wired: () => Wired;
  /** What a revocation changes. */
  readonly steps: EventSteps;

  constructor(db: Database, clock: Clock, registrations: RegistrationStore, wired: () => Wired) {
    this.#db = db;
    this.#clock = clock;
    this.#registrations = registrations;
    this.#wired = wired;
    this.steps = eventSteps(registrations);
  }

  /** Resolves once the effect is stored. */
  async receive({ issuer, jti, revokes }: SubjectEvent): Promise<'done' | 'repeated'> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const inserted = await tx.run(
        `INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('event', ?, ?, ?)
         ON CONFLICT (kind, issuer, jti) DO UPDATE SET expires_at = excluded.expires_at
           WHERE used_jtis.expires_at <= ?`,
        [issuer, jti, now + EVENT_JTI_RETENTION, now],
      );
      if (inserted === 0) return 'repeated';
      const cause: Cause = { actor: `provider ${issuer}`, at: now };
      await audit(tx, cause, 'event.received', undefined, { jti });
      if (revokes) await this.#revoke(tx, revokes, cause);
      await this.#registrations.expired.remove(tx, now);
      return 'done';
    });
  }

  async #revoke(tx: Transaction, revocation: SubjectRevocation, cause: Cause): Promise<void> {
    const { remember, registrationsOf, endRegistration, endOlderCredentials, endClientTokens } =
      this.#wired().events.steps;
    await remember(tx, revocation, cause.at);
    await endClientTokens(tx, revocation);
    for (const registration of await registrationsOf(tx, revocation)) {
      const isNewer = (registration.idJagIssuedAt ?? 0) > revocation.upTo;
      const end = isNewer ? endOlderCredentials : endRegistration;
      await end(tx, registration, revocation, cause);
    }
  }
}
