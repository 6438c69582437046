import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import type { Database, Transaction } from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import { MAX_ID_JAG_LIFETIME } from '../config/lifetimes.ts';
import { audit, type Cause } from './audit.ts';
import type { RegistrationStore } from './registration-store.ts';
import { EVENT_JTI_RETENTION } from './retention.ts';
import { findRegistrations, type StoredRegistration } from './stored-registration.ts';
import { removeOrphan } from './users.ts';

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
export class EventStore extends AtomicStore {
  readonly #wired: () => Wired;
  /** What a revocation changes. */
  readonly steps: EventSteps;

  constructor(
    db: Database,
    clock: Clock,
    expired: ExpiredRows,
    registrations: RegistrationStore,
    wired: () => Wired,
  ) {
    super(db, clock, expired);
    this.#wired = wired;
    this.steps = eventSteps(registrations);
  }

  /** Resolves once the effect is stored. */
  async receive({ issuer, jti, revokes }: SubjectEvent): Promise<'done' | 'repeated'> {
    return this.change(async (tx, now) => {
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

/** Ends what rests on a subject's ID-JAGs up to an instant, in ms. */
export interface SubjectRevocation {
  readonly issuer: string;
  readonly subject: string;
  readonly upTo: number;
}

/** What a revocation changes, step by step, within the transaction of its event. */
export interface EventSteps {
  /** Stores it, so that later ID-JAGs are compared with it. */
  remember(tx: Transaction, revocation: SubjectRevocation, now: number): Promise<void>;
  /** The registrations of the subject that are not revoked. */
  registrationsOf(
    tx: Transaction,
    revocation: SubjectRevocation,
  ): Promise<readonly StoredRegistration[]>;
  /** Ends the tokens that clients redeemed older ID-JAGs for. */
  endClientTokens(tx: Transaction, revocation: SubjectRevocation): Promise<void>;
  /** Ends a registration that rests on no newer ID-JAG. */
  endRegistration: EndStep;
  /** Ends what rests on the older ID-JAGs of a registration that a newer one keeps active. */
  endOlderCredentials: EndStep;
}

type EndStep = (
  tx: Transaction,
  registration: StoredRegistration,
  revocation: SubjectRevocation,
  cause: Cause,
) => Promise<void>;

// Longer than an ID-JAG from before it could still be presented (SET-10).
const KEPT_FOR = 2 * MAX_ID_JAG_LIFETIME;

function eventSteps(registrations: RegistrationStore): EventSteps {
  return {
    remember,
    registrationsOf: (tx, { issuer, subject }) =>
      findRegistrations(tx, 'issuer = ? AND subject = ? AND revoked_at IS NULL ORDER BY id', [
        issuer,
        subject,
      ]),
    endRegistration: async (tx, registration, _revocation, { actor, at }) => {
      await registrations.decideWithin(tx, 'revoke', registration, actor, {});
      const { userId } = registration.facts;
      if (userId !== undefined) await removeOrphan(tx, at, userId);
    },
    endOlderCredentials,
    endClientTokens: async (tx, { issuer, subject, upTo }) => {
      await tx.run(
        'DELETE FROM client_tokens WHERE issuer = ? AND subject = ? AND id_jag_issued_at <= ?',
        [issuer, subject, upTo],
      );
    },
  };
}

async function remember(
  tx: Transaction,
  { issuer, subject, upTo }: SubjectRevocation,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO subject_revocations (issuer, subject, revoked_at, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (issuer, subject) DO UPDATE SET
       revoked_at = CASE WHEN subject_revocations.revoked_at > excluded.revoked_at
                         THEN subject_revocations.revoked_at ELSE excluded.revoked_at END,
       expires_at = CASE WHEN subject_revocations.expires_at > excluded.expires_at
                         THEN subject_revocations.expires_at ELSE excluded.expires_at END`,
    [issuer, subject, upTo, Math.max(now, upTo) + KEPT_FOR],
  );
}

async function endOlderCredentials(
  tx: Transaction,
  { facts: { id } }: StoredRegistration,
  { upTo }: SubjectRevocation,
  cause: Cause,
): Promise<void> {
  for (const table of ['access_tokens', 'assertions', 'refresh_tokens']) {
    const older = `DELETE FROM ${table} WHERE registration_id = ? AND id_jag_issued_at <= ?`;
    await tx.run(older, [id, upTo]);
  }
  await audit(tx, cause, 'credentials.ended', id);
}
