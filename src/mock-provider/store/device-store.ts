import { type Actor, recordAudit, userActor } from '../../mock/audit/audit.ts';
import type { Visitor } from '../../mock/sessions/sessions.ts';
import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Transaction } from '../../mock/store/database.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { maskEmail } from '../../protocol/email.ts';
import type { UserDecision } from '../checks/user-decision.ts';
import { DEVICE_RETENTION } from '../config/lifetimes.ts';
import { type DeviceDecision, decideDevice } from '../device-code/decide-device.ts';
import type { decidePoll, PollDecision } from '../device-code/decide-poll.ts';
import { type DeviceFacts, isRecentEnough } from '../device-code/device-facts.ts';
import { grantConsent, isWithdrawn } from './consent-store.ts';

interface NewDeviceCode
  extends Pick<DeviceFacts, 'clientId' | 'scopes' | 'audience' | 'audienceScopes' | 'interval'> {
  readonly deviceCodeHash: string;
  readonly userCodeHmac: string;
  /** How old the user's sign-in may be now, in milliseconds; `undefined`: any age. */
  readonly maxAge: number | undefined;
  /** How long the code lives, in milliseconds. */
  readonly lifetime: number;
  /** Approved at once for this user. */
  readonly approveFor: string | undefined;
}

/** The signed-in user who looks at a code, or decides about it. */
type SignedInUser = Pick<Visitor, 'email' | 'signedInAt'>;

/** What came of a decision about a code, and which client's it is. */
interface DecidedCode {
  readonly clientId: string | undefined;
  /** `sign_in_too_old`: nothing was decided, the user has to sign in first. */
  readonly outcome: DeviceDecision | 'too_many_attempts' | 'sign_in_too_old';
}

/** What a poll is answered by. */
interface PollRules {
  readonly poll: typeof decidePoll;
}

/** Wrong codes of one account within {@link TRY_WINDOW}; then it has to wait (RFC 8628 §5.1). */
const MAX_TRIES = 10;
const TRY_WINDOW = 10 * MINUTE;

/** What a device authorization is found by. */
type Key = readonly [column: 'device_code_hash' | 'user_code_hmac', value: string];

/** Device authorizations. */
export class DeviceStore extends AtomicStore {
  /** `false` when another code has that user code. */
  create(code: NewDeviceCode): Promise<boolean> {
    return this.change(async (tx, now) => {
      const { approveFor, audience, audienceScopes, deviceCodeHash, interval, scopes } = code;
      const facts: DeviceFacts = {
        clientId: code.clientId,
        scopes,
        audience,
        audienceScopes,
        signedInAfter: code.maxAge === undefined ? undefined : now - code.maxAge,
        expiresAt: now + code.lifetime,
        interval,
      };
      const created = await tx.run(
        `INSERT INTO device_codes (device_code_hash, user_code_hmac, purge_at, facts)
         VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        [
          deviceCodeHash,
          code.userCodeHmac,
          facts.expiresAt + DEVICE_RETENTION,
          JSON.stringify(facts),
        ],
      );
      if (created === 1 && approveFor !== undefined) {
        const user = { email: approveFor, signedInAt: now };
        await approve(tx, ['device_code_hash', deviceCodeHash], facts, user, 'control', now);
      }
      return created === 1;
    });
  }

  /** Polls once, with what that changes. `undefined`: the client has no such device code. */
  poll(
    deviceCodeHash: string,
    clientId: string,
    { poll }: PollRules,
  ): Promise<{ readonly facts: DeviceFacts; readonly decision: PollDecision } | undefined> {
    return this.change(async (tx, now) => {
      const key = ['device_code_hash', deviceCodeHash] as const;
      const facts = await findFacts(tx, key);
      if (facts?.clientId !== clientId) return undefined;
      const decision = poll(facts, now);
      if (decision.kind === 'waiting') {
        await storeFacts(tx, key, { ...facts, lastPollAt: now, interval: decision.interval });
      }
      if (decision.kind === 'signed_in' && facts.collectedAt === undefined) {
        await storeFacts(tx, key, { ...facts, collectedAt: now });
      }
      return { facts, decision };
    });
  }

  /** A code that waits for a decision. A look at any other code is counted as a wrong attempt. */
  look(
    userCodeHmac: string,
    { email }: SignedInUser,
  ): Promise<DeviceFacts | 'unknown' | 'too_many_attempts'> {
    return this.change(async (tx, now) => {
      if (await isExhausted(tx, email, now)) return 'too_many_attempts';
      const facts = await findFacts(tx, ['user_code_hmac', userCodeHmac]);
      if (decideDevice(facts, 'approve', email, now) === 'unknown' || facts === undefined) {
        await countTry(tx, email, now);
        return 'unknown';
      }
      return facts;
    });
  }

  /** Approving a request that names an audience is consent to that audience, too: the page says so. */
  decide(userCodeHmac: string, user: SignedInUser, decision: UserDecision): Promise<DecidedCode> {
    return this.change(async (tx, now) => {
      if (await isExhausted(tx, user.email, now)) {
        return { clientId: undefined, outcome: 'too_many_attempts' };
      }
      const key = ['user_code_hmac', userCodeHmac] as const;
      const facts = await findFacts(tx, key);
      const clientId = facts?.clientId;
      const outcome = decideDevice(facts, decision, user.email, now);
      if (outcome === 'unknown') await countTry(tx, user.email, now);
      // A refusal needs no fresh sign-in.
      if (outcome === 'approved' && facts && !isRecentEnough(facts, user.signedInAt)) {
        return { clientId, outcome: 'sign_in_too_old' };
      }
      if (facts === undefined || facts.approvedAt !== undefined || facts.deniedAt !== undefined) {
        return { clientId, outcome };
      }
      const actor = userActor(user.email);
      if (outcome === 'approved') await approve(tx, key, facts, user, actor, now);
      if (outcome === 'denied') {
        await storeFacts(tx, key, { ...facts, deniedAt: now, email: user.email });
        await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'sign_in.denied' });
      }
      return { clientId, outcome };
    });
  }
}

async function approve(
  tx: Transaction,
  key: Key,
  facts: DeviceFacts,
  { email, signedInAt: authTime }: SignedInUser,
  actor: Actor,
  now: number,
): Promise<void> {
  await storeFacts(tx, key, { ...facts, approvedAt: now, email, authTime });
  const { audience, audienceScopes } = facts;
  const detail = { user: maskEmail(email) };
  await recordAudit(tx, { owner: 'provider', at: now, actor, action: 'sign_in.approved', detail });
  if (audience === undefined) return;
  // No page was shown: a revoked consent stays revoked.
  const ofAgent = { email, audience, client: undefined };
  if (actor === 'control' && (await isWithdrawn(tx, ofAgent))) return;
  await grantConsent(tx, { ...ofAgent, scopes: audienceScopes }, actor, now);
}

async function isExhausted(tx: Transaction, email: string, now: number): Promise<boolean> {
  const row = await tx.get('SELECT count FROM code_tries WHERE email = ? AND expires_at > ?', [
    email,
    now,
  ]);
  return row !== undefined && column.number(row['count']) >= MAX_TRIES;
}

async function countTry(tx: Transaction, email: string, now: number): Promise<void> {
  await tx.run('DELETE FROM code_tries WHERE email = ? AND expires_at <= ?', [email, now]);
  await tx.run(
    `INSERT INTO code_tries (email, count, expires_at) VALUES (?, 1, ?)
     ON CONFLICT (email) DO UPDATE SET count = code_tries.count + 1`,
    [email, now + TRY_WINDOW],
  );
}

async function findFacts(tx: Transaction, [by, value]: Key): Promise<DeviceFacts | undefined> {
  const row = await tx.get(`SELECT facts FROM device_codes WHERE ${by} = ?`, [value]);
  return row && (JSON.parse(column.text(row['facts'])) as DeviceFacts);
}

async function storeFacts(tx: Transaction, [by, value]: Key, facts: DeviceFacts): Promise<void> {
  const sql = `UPDATE device_codes SET facts = ? WHERE ${by} = ?`;
  await tx.run(sql, [JSON.stringify(facts), value]);
}
