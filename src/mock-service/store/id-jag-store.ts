import { column, type Database, type Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { AssertionTimes, RegistrationFacts } from '../claim-machine/index.ts';
import type { VerifiedIdJag } from '../identity/id-jag.ts';
import { type Match, matchIdJag } from '../identity/match-id-jag.ts';
import type { Lifetimes } from '../lifetimes.ts';
import { insertAssertion } from './apply-effects.ts';
import { type NewAttempt, openAttemptFor } from './open-attempt.ts';
import type { Gate } from './rate-limit.ts';
import { insertRegistration, type NewRegistration } from './registration-store.ts';
import { purge } from './retention.ts';
import { type StoredRegistration, toRegistration } from './rows.ts';
import { findUserBy, provisionUser } from './users.ts';

/** Everything random that accepting an ID-JAG may need, made before the transaction. */
export interface Fresh {
  readonly registrationId: string;
  readonly userId: string;
  readonly assertionJti: string;
  readonly claimTokenHash: string;
  readonly attempt: NewAttempt;
}

export type Accepted =
  | {
      readonly kind: 'established';
      readonly facts: RegistrationFacts;
      readonly assertion: AssertionTimes;
    }
  | {
      readonly kind: 'confirm';
      readonly facts: RegistrationFacts;
      readonly expiresAt: number;
      readonly interval: number;
    }
  | Extract<Match, { kind: 'refused' | 'exhausted' }>;

/** The one atomic change that an ID-JAG makes: its `jti` is spent together with its outcome. */
export class IdJagStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #lifetimes: Lifetimes;

  constructor(db: Database, clock: Clock, lifetimes: Lifetimes) {
    this.#db = db;
    this.#clock = clock;
    this.#lifetimes = lifetimes;
  }

  /** @param gate asked when a registration is made, not for one that is known. */
  async accept(idJag: VerifiedIdJag, fresh: Fresh, gate: Gate | undefined): Promise<Accepted> {
    return this.#db.transaction(async (tx) => {
      const now = this.#clock.now();
      const emailUser = idJag.email && (await findUserBy(tx, 'email', idJag.email));
      const phoneUser = idJag.phone && (await findUserBy(tx, 'phone', idJag.phone));
      const registration = await findOfSubject(tx, idJag);
      const match = matchIdJag(
        idJag,
        {
          registration: registration?.facts,
          emailAccount: emailUser || undefined,
          phoneAccount: phoneUser || undefined,
          revokedUpTo: await revokedUpTo(tx, idJag),
          jtiUsed: await isUsed(tx, idJag),
        },
        now,
      );
      if (match.kind === 'refused' || match.kind === 'exhausted') return match;
      await purge(tx, now);
      if (match.kind === 'provision' || (match.kind === 'confirm' && !match.reuse)) {
        await gate?.(tx, now);
      }
      await spend(tx, idJag, idJag.expiresAt + this.#lifetimes.clockSkew);

      if (match.kind === 'confirm') {
        const kept = match.reuse ? registration : undefined;
        return this.#confirm(tx, now, idJag, match.email, kept, fresh);
      }
      const stored =
        match.kind === 'known' && registration
          ? await refresh(tx, registration, idJag)
          : await this.#provision(tx, now, idJag, registration, fresh);
      const assertion: AssertionTimes = {
        jti: fresh.assertionJti,
        issuedAt: now,
        expiresAt: now + this.#lifetimes.assertion,
      };
      await insertAssertion(tx, stored.facts.id, idJag.issuedAt, assertion);
      return { kind: 'established', facts: stored.facts, assertion };
    });
  }

  async #provision(
    tx: Transaction,
    now: number,
    idJag: VerifiedIdJag,
    unconfirmed: StoredRegistration | undefined,
    fresh: Fresh,
  ): Promise<StoredRegistration> {
    // One subject has one registration: a confirmation that somebody else was asked for is over.
    if (unconfirmed) {
      await tx.run('DELETE FROM registrations WHERE id = ?', [unconfirmed.facts.id]);
    }
    const { email, phone, issuer } = idJag;
    await provisionUser(tx, now, { id: fresh.userId, email, phone, issuer });
    return insertRegistration(tx, now, {
      ...subjectOf(idJag),
      id: fresh.registrationId,
      needsClaim: false,
      windowEndsAt: now,
      claimTokenHash: undefined,
      email,
      userId: fresh.userId,
      preClaimScopes: [],
    });
  }

  async #confirm(
    tx: Transaction,
    now: number,
    idJag: VerifiedIdJag,
    email: string,
    kept: StoredRegistration | undefined,
    fresh: Fresh,
  ): Promise<Accepted> {
    if (kept) {
      await tx.run('UPDATE registrations SET claim_token_hash = ?, email = ? WHERE id = ?', [
        fresh.claimTokenHash,
        email,
        kept.facts.id,
      ]);
    }
    const registration = kept
      ? await refresh(tx, { ...kept, facts: { ...kept.facts, email } }, idJag)
      : await insertRegistration(tx, now, {
          ...subjectOf(idJag),
          id: fresh.registrationId,
          needsClaim: true,
          windowEndsAt: now + this.#lifetimes.claimWindow,
          claimTokenHash: fresh.claimTokenHash,
          email,
          userId: undefined,
          preClaimScopes: [],
        });
    const moment = { now, lifetimes: this.#lifetimes };
    const opened = await openAttemptFor(tx, registration, fresh.attempt, moment);
    return { kind: 'confirm', facts: registration.facts, ...opened };
  }
}

function subjectOf(
  idJag: VerifiedIdJag,
): Pick<
  NewRegistration,
  'type' | 'issuer' | 'tenant' | 'subject' | 'idJagIssuedAt' | 'postClaimScopes' | 'resource'
> {
  return {
    type: 'identity_assertion',
    issuer: idJag.issuer,
    tenant: idJag.tenant,
    subject: idJag.subject,
    idJagIssuedAt: idJag.issuedAt,
    postClaimScopes: idJag.scopes,
    resource: idJag.resource,
  };
}

/** The latest ID-JAG says which scopes and resource hold from now on. */
async function refresh(
  tx: Transaction,
  { facts, idJagIssuedAt, ...rest }: StoredRegistration,
  idJag: VerifiedIdJag,
): Promise<StoredRegistration> {
  // An older one, presented late, must not widen what a newer one has narrowed.
  if (idJagIssuedAt !== undefined && idJag.issuedAt < idJagIssuedAt) {
    return { ...rest, idJagIssuedAt, facts };
  }
  const { issuedAt } = idJag;
  await tx.run(
    'UPDATE registrations SET id_jag_issued_at = ?, post_claim_scopes = ?, resource = ? WHERE id = ?',
    [issuedAt, idJag.scopes.join(' '), idJag.resource ?? null, facts.id],
  );
  return {
    ...rest,
    idJagIssuedAt: issuedAt,
    facts: { ...facts, postClaimScopes: idJag.scopes, resource: idJag.resource },
  };
}

async function findOfSubject(
  tx: Transaction,
  { issuer, tenant, subject }: VerifiedIdJag,
): Promise<StoredRegistration | undefined> {
  const row = await tx.get(
    `SELECT * FROM registrations WHERE issuer = ? AND subject = ? AND tenant = ?
       AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1`,
    [issuer, subject, tenant],
  );
  return row && toRegistration(row);
}

async function revokedUpTo(
  tx: Transaction,
  { issuer, subject }: VerifiedIdJag,
): Promise<number | undefined> {
  const row = await tx.get(
    'SELECT revoked_at FROM subject_revocations WHERE issuer = ? AND subject = ?',
    [issuer, subject],
  );
  return column.optionalNumber(row?.['revoked_at']);
}

async function isUsed(tx: Transaction, { issuer, jti }: VerifiedIdJag): Promise<boolean> {
  const row = await tx.get(
    "SELECT jti FROM used_jtis WHERE kind = 'id-jag' AND issuer = ? AND jti = ?",
    [issuer, jti],
  );
  return row !== undefined && column.text(row['jti']) === jti;
}

async function spend(
  tx: Transaction,
  { issuer, jti }: VerifiedIdJag,
  until: number,
): Promise<void> {
  await tx.run("INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('id-jag', ?, ?, ?)", [
    issuer,
    jti,
    until,
  ]);
}
