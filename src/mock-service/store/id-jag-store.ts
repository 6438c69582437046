import { column, type Database, type Transaction } from '../../mock/index.ts';
import { MINUTE } from '../../protocol/index.ts';
import type { AssertionTimes, Moment, RegistrationFacts } from '../claim-machine/index.ts';
import type { VerifiedIdJag } from '../identity/id-jag.ts';
import { type Match, matchIdJag } from '../identity/match-id-jag.ts';
import { MAX_ID_JAG_LIFETIME } from '../lifetimes.ts';
import { insertAssertion } from './apply-effects.ts';
import { audit, type Cause } from './audit.ts';
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
  readonly #moment: () => Moment;

  constructor(db: Database, moment: () => Moment) {
    this.#db = db;
    this.#moment = moment;
  }

  /** With this fault many requests look before the first of them writes. */
  async #lookCarelessly(idJag: VerifiedIdJag): Promise<boolean | undefined> {
    const moment = this.#moment();
    if (!moment.faults.has('replayRace')) return undefined;
    const used = await this.#db.transaction((tx) => isUsed(tx, idJag, moment));
    // As long as a store elsewhere would take to answer.
    for (let n = 0; n < 20; n += 1) await crypto.subtle.digest('SHA-256', new Uint8Array(1 << 16));
    return used;
  }

  /** What only a fault does: uses a `jti` up although its ID-JAG was refused. */
  async burn(spent: Pick<VerifiedIdJag, 'issuer' | 'jti'>): Promise<void> {
    const until = this.#moment().now + MAX_ID_JAG_LIFETIME;
    await this.#db.transaction((tx) => spend(tx, spent, until));
  }

  /** @param gate asked when a registration is made, not for one that is known. */
  async accept(idJag: VerifiedIdJag, fresh: Fresh, gate: Gate | undefined): Promise<Accepted> {
    const looked = await this.#lookCarelessly(idJag);
    return this.#db.transaction(async (tx) => {
      const moment = this.#moment();
      const { now, lifetimes, faults } = moment;
      const emailUser = idJag.email && (await findUserBy(tx, 'email', idJag.email));
      const phoneUser = idJag.phone && (await findUserBy(tx, 'phone', idJag.phone));
      if (faults.has('eventForgottenByIdJag')) {
        await tx.run(
          'UPDATE registrations SET revoked_at = NULL WHERE issuer = ? AND subject = ?',
          [idJag.issuer, idJag.subject],
        );
      }
      const registration = await findOfSubject(tx, idJag, moment);
      const match = matchIdJag(
        idJag,
        {
          registration: registration?.facts,
          emailAccount: emailUser || undefined,
          phoneAccount: phoneUser || undefined,
          revokedUpTo: await revokedUpTo(tx, idJag),
          jtiUsed: looked ?? (await isUsed(tx, idJag, moment)),
        },
        moment,
      );
      if (match.kind === 'refused' || match.kind === 'exhausted') return match;
      await purge(tx, now);
      if (match.kind === 'provision' || (match.kind === 'confirm' && !match.reuse)) {
        await gate?.(tx, now);
      }
      const spentUntil = idJag.expiresAt + lifetimes.clockSkew;
      await spend(tx, idJag, faults.has('jtiForgotten') ? now + MINUTE : spentUntil);

      if (match.kind === 'confirm') {
        const kept = match.reuse ? registration : undefined;
        return confirm(tx, moment, idJag, match.email, kept, fresh);
      }
      const renewed = match.kind === 'known' && faults.has('registrationEachTime');
      const knownUser = renewed ? registration?.facts.userId : undefined;
      const linkedUser = match.kind === 'link' ? match.userId : knownUser;
      if (faults.has('earlierAssertionsEnd') && registration) {
        await tx.run('DELETE FROM assertions WHERE registration_id = ?', [registration.facts.id]);
      }
      const stored =
        match.kind === 'known' && registration && !renewed
          ? await refresh(tx, registration, idJag)
          : await provision(tx, causeOf(idJag, now), idJag, registration, linkedUser, fresh);
      const assertion: AssertionTimes = {
        jti: fresh.assertionJti,
        issuedAt: now,
        expiresAt: now + lifetimes.assertion,
      };
      await insertAssertion(tx, stored.facts.id, idJag.issuedAt, assertion);
      await audit(tx, causeOf(idJag, now), 'assertion.issued', stored.facts.id, {
        scope: stored.facts.postClaimScopes.join(' '),
      });
      return { kind: 'established', facts: stored.facts, assertion };
    });
  }
}

async function provision(
  tx: Transaction,
  cause: Cause,
  idJag: VerifiedIdJag,
  unconfirmed: StoredRegistration | undefined,
  linkedUser: string | undefined,
  fresh: Fresh,
): Promise<StoredRegistration> {
  // One subject has one registration: a confirmation that somebody else was asked for is over.
  if (unconfirmed) {
    await tx.run('DELETE FROM registrations WHERE id = ?', [unconfirmed.facts.id]);
    await audit(tx, cause, 'registration.revoked', unconfirmed.facts.id);
  }
  const { email, phone, issuer } = idJag;
  if (linkedUser === undefined) {
    await provisionUser(tx, cause.at, { id: fresh.userId, email, phone, issuer });
    await audit(tx, cause, 'user.provisioned', fresh.registrationId);
  }
  return insertRegistration(tx, cause, {
    ...subjectOf(idJag),
    id: fresh.registrationId,
    needsClaim: false,
    windowEndsAt: cause.at,
    claimTokenHash: undefined,
    email,
    userId: linkedUser ?? fresh.userId,
    preClaimScopes: [],
  });
}

async function confirm(
  tx: Transaction,
  moment: Moment,
  idJag: VerifiedIdJag,
  email: string,
  kept: StoredRegistration | undefined,
  fresh: Fresh,
): Promise<Accepted> {
  const { now, lifetimes, faults } = moment;
  if (kept && !faults.has('claimTokenNotReplaced')) {
    await tx.run('UPDATE registrations SET claim_token_hash = ?, email = ? WHERE id = ?', [
      fresh.claimTokenHash,
      email,
      kept.facts.id,
    ]);
  }
  const registration = kept
    ? await refresh(tx, { ...kept, facts: { ...kept.facts, email } }, idJag)
    : await insertRegistration(tx, causeOf(idJag, now), {
        ...subjectOf(idJag),
        id: fresh.registrationId,
        needsClaim: true,
        windowEndsAt: now + lifetimes.claimWindow,
        claimTokenHash: fresh.claimTokenHash,
        email,
        userId: undefined,
        preClaimScopes: [],
      });
  const { actor } = causeOf(idJag, now);
  const opened = await openAttemptFor(tx, registration, fresh.attempt, moment, actor);
  return { kind: 'confirm', facts: registration.facts, ...opened };
}

function causeOf({ issuer }: VerifiedIdJag, at: number): Cause {
  return { actor: `provider ${issuer}`, at };
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
  { email, issuer, tenant, subject }: VerifiedIdJag,
  { faults }: Moment,
): Promise<StoredRegistration | undefined> {
  const isIssuer = faults.has('subjectOfAnyIssuer') ? "issuer <> ''" : 'issuer = ?';
  const isTenant = faults.has('subjectOfAnyTenant') ? "tenant <> '-'" : 'tenant = ?';
  const isSubject = faults.has('oneSubjectAnIssuer')
    ? "subject <> ''"
    : faults.has('subjectByAddress')
      ? '(subject = ? OR email = ?)'
      : 'subject = ?';
  const values = [
    ...(faults.has('subjectOfAnyIssuer') ? [] : [issuer]),
    ...(faults.has('oneSubjectAnIssuer') ? [] : [subject]),
    ...(faults.has('subjectByAddress') ? [email ?? ''] : []),
    ...(faults.has('subjectOfAnyTenant') ? [] : [tenant]),
  ];
  const row = await tx.get(
    `SELECT * FROM registrations WHERE ${isIssuer} AND ${isSubject} AND ${isTenant}
       AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1`,
    values,
  );
  const found = row && toRegistration(row);
  return faults.has('subjectWithAddress') && found?.facts.email !== email ? undefined : found;
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

async function isUsed(
  tx: Transaction,
  { issuer, jti }: VerifiedIdJag,
  { faults }: Moment,
): Promise<boolean> {
  if (faults.has('replayAccepted')) return false;
  const anyIssuer = faults.has('jtiOfAnyIssuer');
  const row = await tx.get(
    `SELECT jti FROM used_jtis WHERE kind = 'id-jag' AND ${anyIssuer ? "issuer <> ''" : 'issuer = ?'}
       AND jti = ?`,
    anyIssuer ? [jti] : [issuer, jti],
  );
  return row !== undefined && column.text(row['jti']) === jti;
}

async function spend(
  tx: Transaction,
  { issuer, jti }: Pick<VerifiedIdJag, 'issuer' | 'jti'>,
  until: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO used_jtis (kind, issuer, jti, expires_at) VALUES ('id-jag', ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [issuer, jti, until],
  );
}
