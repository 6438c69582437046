import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import { column, type Database, type Transaction } from '../../mock/store/database.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { NewAttempt } from '../claim-machine/effects.ts';
import type { AssertionTimes, RegistrationFacts } from '../claim-machine/facts.ts';
import { type Deciding, type DecisionContext, decisionContext } from '../claim-machine/machine.ts';
import type { LinkExisting } from '../config/link-existing.ts';
import type { IdJag } from '../id-jag/id-jag-checks.ts';
import type { Match, matchIdJag } from '../id-jag/match-id-jag.ts';
import { insertAssertion, withFacts } from './apply-effects.ts';
import { audit, type Cause } from './audit.ts';
import type { Gate } from './rate-limit.ts';
import {
  insertRegistration,
  type NewRegistration,
  type RegistrationStore,
} from './registration-store.ts';
import { findNewest, type StoredRegistration, updateRow } from './stored-registration.ts';
import { findUserBy, provisionUser } from './users.ts';

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

/** What accepting an ID-JAG may need beside it: what is random, made before the transaction, and a name. */
interface Fresh {
  readonly registrationId: string;
  readonly userId: string;
  readonly assertionJti: string;
  readonly claimTokenHash: string;
  readonly attempt: NewAttempt;
  readonly agentName: string | undefined;
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

/** What accepting works with, as the mock is wired now. */
interface AcceptingParts extends Deciding {
  readonly config: Deciding['config'] & { readonly linkExisting: LinkExisting };
  readonly decisions: Deciding['decisions'] & { readonly matchIdJag: typeof matchIdJag };
  readonly idJags: Pick<IdJagStore, 'queries'>;
  readonly registrations: RegistrationStore;
}

/** The one atomic change that an ID-JAG makes: its `jti` is spent together with its outcome. */
export class IdJagStore extends AtomicStore {
  /** What it reads and writes. */
  readonly queries = ID_JAG_QUERIES;
  readonly #parts: () => AcceptingParts;

  constructor(db: Database, clock: Clock, expired: ExpiredRows, parts: () => AcceptingParts) {
    super(db, clock, expired);
    this.#parts = parts;
  }

  /** @param gate called when a registration is created, not for an existing one. */
  async accept(idJag: IdJag, fresh: Fresh, gate: Gate | undefined): Promise<Accepted> {
    return this.change(async (tx) => {
      const parts = this.#parts();
      const { config, decisions, registrations } = parts;
      const { queries } = parts.idJags;
      const context = decisionContext(parts);
      const { now, lifetimes } = context;
      const registration = await queries.findRegistration(tx, idJag);
      const emailUser = idJag.email && (await findUserBy(tx, 'email', idJag.email));
      const phoneUser = idJag.phone && (await findUserBy(tx, 'phone', idJag.phone));
      const match = decisions.matchIdJag({
        idJag,
        now,
        registration: registration?.facts,
        emailAccount: emailUser || undefined,
        phoneAccount: phoneUser || undefined,
        revokedUpTo: await queries.revokedUpTo(tx, idJag),
        jtiUsed: await queries.isUsed(tx, idJag, now),
        linkExisting: config.linkExisting,
      });
      if (match.kind === 'refused' || match.kind === 'exhausted') return match;
      if (match.kind !== 'known' && !(match.kind === 'confirm' && match.reuse)) {
        await gate?.(tx, now);
      }
      await queries.spend(tx, idJag, idJag.expiresAt + lifetimes.clockSkew);

      const accepting = { tx, queries, registrations, context, idJag, fresh };
      return match.kind === 'confirm'
        ? confirm(accepting, match.email, match.reuse ? registration : undefined)
        : admit(accepting, registration, match);
    });
  }
}

/** An ID-JAG within the transaction that accepts it. */
interface Accepting {
  readonly tx: Transaction;
  readonly queries: IdJagQueries;
  readonly registrations: RegistrationStore;
  readonly context: DecisionContext;
  readonly idJag: IdJag;
  readonly fresh: Fresh;
}

/** What nobody has to confirm: it gets its assertion at once. */
async function admit(
  accepting: Accepting,
  registration: StoredRegistration | undefined,
  match: Exclude<Match, { kind: 'refused' | 'exhausted' | 'confirm' }>,
): Promise<Accepted> {
  const { context, fresh, idJag, tx } = accepting;
  const { lifetimes, now } = context;
  const { facts } =
    match.kind === 'known' && registration
      ? await update(accepting, registration, registration)
      : await establish(accepting, registration, match);
  const assertion: AssertionTimes = {
    jti: fresh.assertionJti,
    issuedAt: now,
    expiresAt: now + lifetimes.assertion,
  };
  await insertAssertion(tx, facts.id, idJag.issuedAt, assertion);
  await audit(tx, causeOf(accepting), 'assertion.issued', facts.id, {
    scope: facts.postClaimScopes.join(' '),
  });
  return { kind: 'established', facts, assertion };
}

/** A registration that nobody has to confirm. */
async function establish(
  accepting: Accepting,
  unconfirmed: StoredRegistration | undefined,
  match: Exclude<Match, { kind: 'refused' | 'exhausted' | 'confirm' }>,
): Promise<StoredRegistration> {
  const { tx, idJag, fresh } = accepting;
  const cause = causeOf(accepting);
  // One subject has one registration: a confirmation that a user was asked for ends.
  if (unconfirmed) {
    await tx.run('DELETE FROM registrations WHERE id = ?', [unconfirmed.facts.id]);
    await audit(tx, cause, 'registration.revoked', unconfirmed.facts.id);
  }
  const linked = match.kind === 'link';
  const { userId, email } = linked ? match : await provision(accepting);
  await audit(tx, cause, linked ? 'account.linked' : 'user.provisioned', fresh.registrationId);
  return insertRegistration(tx, cause, {
    id: fresh.registrationId,
    agentName: fresh.agentName,
    needsClaim: false,
    windowEndsAt: cause.at,
    claimTokenHash: undefined,
    email,
    userId,
    preClaimScopes: [],
    ...subjectOf(idJag),
  });
}

async function provision({ context, fresh, idJag, queries, tx }: Accepting) {
  const { email, issuer, phone } = idJag;
  const user = { id: fresh.userId, email, phone, issuer };
  return { userId: await queries.provisionUser(tx, context.now, user), email };
}

async function confirm(
  accepting: Accepting,
  email: string,
  kept: StoredRegistration | undefined,
): Promise<Accepted> {
  const { tx, registrations, context, idJag, fresh } = accepting;
  const cause = causeOf(accepting);
  // The claim has another token, and maybe another owner.
  const claim = { claimTokenHash: fresh.claimTokenHash };
  const registration = kept
    ? await update(accepting, kept, { ...withFacts(kept, { email }), ...claim })
    : await insertRegistration(tx, cause, {
        ...subjectOf(idJag),
        id: fresh.registrationId,
        agentName: fresh.agentName,
        needsClaim: true,
        windowEndsAt: context.now + context.lifetimes.claimWindow,
        ...claim,
        email,
        userId: undefined,
        preClaimScopes: [],
      });
  const { attempt } = fresh;
  const opened = await registrations.openAttempt(tx, registration, attempt, cause.actor, context);
  return { kind: 'confirm', facts: registration.facts, ...opened };
}

function causeOf({ idJag, context }: Accepting): Cause {
  return { actor: `provider ${idJag.issuer}`, at: context.now };
}

function subjectOf(
  idJag: IdJag,
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
    resource: boundTo(idJag),
  };
}

/** The resources that an ID-JAG names, as they are stored; it is for all of ours where it names none. */
const boundTo = ({ resources }: Pick<IdJag, 'resources'>) =>
  resources.length === 0 ? undefined : resources.join(' ');

/** The latest ID-JAG says which scopes and resource hold from now on, and the agent that sent it, its name. */
async function update(
  { tx, idJag, fresh: { agentName } }: Accepting,
  before: StoredRegistration,
  after: StoredRegistration,
): Promise<StoredRegistration> {
  // An older one, presented late, must not widen what a newer one has narrowed.
  const isOlder = after.idJagIssuedAt !== undefined && idJag.issuedAt < after.idJagIssuedAt;
  const granted = { postClaimScopes: idJag.scopes, resource: boundTo(idJag) };
  const latest = isOlder
    ? after
    : { ...withFacts(after, granted), agentName, idJagIssuedAt: idJag.issuedAt };
  await updateRow(tx, before, latest);
  return latest;
}
