import type { Actor } from '../../mock/audit/audit.ts';
import type { Database, Transaction } from '../../mock/store/database.ts';
import { MINUTE, SECOND } from '../../protocol/durations.ts';
import { describeHost } from '../../protocol/host-reach.ts';
import {
  type Clock,
  type Log,
  NetworkError,
  type Random,
  type Sleep,
} from '../../runtime/ports.ts';
import type { ProviderConfig } from '../config/config.ts';
import { type Attempt, type afterAttempt, LONGEST_WAIT, type OutboxEntry } from './outbox-entry.ts';
import { auditEvent, changeEvent, findEvents, TAKE_OVER, tried } from './outbox-rows.ts';
import { lost } from './receive-answer.ts';
import type { SendEvent, Sender } from './send-event.ts';

/** The provider, as far as events are sent with it. */
interface OutboxProvider extends Sender {
  readonly config: Pick<ProviderConfig, 'issuer' | 'mayNotify'>;
  readonly decisions: Sender['decisions'] & { readonly afterAttempt: typeof afterAttempt };
  readonly sendEvent: SendEvent;
}

interface OutboxOptions {
  /** The database, with its tables. */
  readonly db: Database;
  /** Whose events are sent from here. */
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The provider as it is wired at the time of an attempt. */
  readonly provider: () => OutboxProvider;
  /** Reads what was changed in the store, before work that no request began. */
  readonly prepare: () => Promise<void> | undefined;
  /** Bounds an attempt, and waits for the next one. Left out: only `fetch` bounds it, and nothing is sent again by itself. */
  readonly sleep?: Sleep | undefined;
}

/** How long a caller waits to learn whether the service was notified. */
const WHILE_WAITED_FOR = 5 * SECOND;
/** How long an attempt in the background may take; shorter than until another process takes over. */
const IN_THE_BACKGROUND = MINUTE / 2;
/** While something is pending: another process, or a clock that was moved, may have made it due. */
const LONGEST_REST = 5 * SECOND;
/** How many events are sent at once. */
const AT_ONCE = 50;
/** How much the clocks of two machines at one store may differ. */
const TOLERANCE = MINUTE;

const END_ACTIONS = {
  delivered: 'event.delivered',
  parked: 'event.parked',
  none: 'event.undeliverable',
} as const;

const LISTED = 200;

/**
 * Events on their way to services: that a consent was revoked. Each is stored in the transaction that
 * revokes, and stays until it is delivered or parked, whatever happens to this process.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #closing = new AbortController();
  /** Ends a pause of the work in the background. */
  #rest = new AbortController();
  #working: Promise<void> | undefined;
  #lastRound = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The newest entries of all users, 200 at most. */
  list(): Promise<readonly OutboxEntry[]> {
    return this.#find('ORDER BY toe DESC, id LIMIT ?', [LISTED]);
  }

  /** The events about one user, newest first, at most `limit`. */
  listOf(email: string, limit: number): Promise<readonly OutboxEntry[]> {
    return this.#find('WHERE email = ? ORDER BY toe DESC, id LIMIT ?', [email, limit]);
  }

  /** The events of the newest revocation of a user's consent to an audience: one for each issuer that named the user. */
  latest(email: string, audience: string): Promise<readonly OutboxEntry[]> {
    return this.#find(
      `WHERE email = ? AND audience = ? AND toe =
         (SELECT MAX(toe) FROM outbox WHERE email = ? AND audience = ?) ORDER BY id`,
      [email, audience, email, audience],
    );
  }

  /** Sends what was just queued, and returns its state after at most five seconds. */
  async deliverNow(queued: OutboxEntry): Promise<OutboxEntry> {
    if (queued.issuer !== this.#options.issuer) return queued;
    const entry = await this.#deliver(queued, WHILE_WAITED_FOR);
    if (entry.state === 'pending') this.wake();
    return entry;
  }

  /**
   * Sends an entry once more, whether it is pending, parked or had no receiver, and keeps trying. One
   * that is delivered stays so, as does one of another issuer. `undefined`: there is none of that id, or
   * it is not that user's.
   * @param by who has it sent again; with `email`, only one of that user's.
   */
  async sendAgain(
    id: string,
    by: { readonly actor: Actor; readonly email?: string } = { actor: 'control' },
  ): Promise<OutboxEntry | undefined> {
    const { clock, db, issuer } = this.#options;
    const found = await db.transaction(async (tx) => {
      const [entry] = await findEvents(tx, 'WHERE id = ?', [id]);
      if (entry === undefined || (by.email ?? entry.email) !== entry.email) return undefined;
      const isLeft = entry.state === 'delivered' || entry.issuer !== issuer;
      if (isLeft || (entry.isBeingSent && this.#untilDue(entry) > 0)) return { entry };
      const now = clock.now();
      const taken = await this.#take(tx, { ...entry, ...tried(now) }, entry);
      if (taken) await auditEvent(tx, taken, 'event.requeued', by.actor, now);
      return { entry, taken };
    });
    return found?.taken ? this.deliverNow(found.taken) : found?.entry;
  }

  /** Sends everything that is due, also what becomes so meanwhile. Resolves with each entry after its attempt. */
  async deliverDue(): Promise<readonly OutboxEntry[]> {
    const { clock, db, prepare } = this.#options;
    this.#lastRound = clock.now();
    await prepare();
    const tried: OutboxEntry[] = [];
    for (;;) {
      const due = (await this.#pending(AT_ONCE)).filter((entry) => this.#untilDue(entry) === 0);
      if (due.length === 0 || this.#closing.signal.aborted) return tried;
      await Promise.all(
        due.map(async (each) => {
          const taken = await db.transaction((tx) => this.#take(tx, each));
          if (taken) tried.push(await this.#deliver(taken, IN_THE_BACKGROUND));
        }),
      );
    }
  }

  /** Sends in the background what is due, and what is pending when its time comes; with nothing pending it rests. */
  wake(): void {
    const { sleep } = this.#options;
    if (sleep === undefined || this.#closing.signal.aborted) return;
    this.#rest.abort();
    this.#working ??= this.#work(sleep).finally(() => {
      this.#working = undefined;
    });
  }

  /** A request came in: there may be work that another process left. Cheap. */
  nudge(): void {
    if (Math.abs(this.#options.clock.now() - this.#lastRound) >= LONGEST_REST) this.wake();
  }

  /** Aborts what is under way: that attempt has failed. */
  async close(): Promise<void> {
    this.#closing.abort(unanswered('aborted'));
    this.#rest.abort();
    await this.#working;
  }

  async #work(sleep: Sleep): Promise<void> {
    const { log } = this.#options;
    for (;;) {
      // Before the round, so that a wake meanwhile is not missed.
      const rest = new AbortController();
      this.#rest = rest;
      let wait: number | undefined = LONGEST_REST;
      try {
        await this.deliverDue();
        const [next] = await this.#pending(1);
        wait = next && Math.min(this.#untilDue(next), LONGEST_REST);
      } catch (error) {
        log.warn('provider.outbox_trouble', { name: nameOf(error) });
      }
      if (this.#closing.signal.aborted || (wait === undefined && !rest.signal.aborted)) return;
      if (!rest.signal.aborted) await sleep(wait ?? 0, rest.signal).catch(() => {});
    }
  }

  /** What is to be sent from here, the next one first; a store can hold events of another issuer. */
  #pending(limit: number): Promise<readonly OutboxEntry[]> {
    return this.#find('WHERE issuer = ? AND next_try IS NOT NULL ORDER BY next_try, id LIMIT ?', [
      this.#options.issuer,
      limit,
    ]);
  }

  #find(condition: string, params: readonly (string | number)[]): Promise<readonly OutboxEntry[]> {
    return this.#options.db.read((reader) => findEvents(reader, condition, params));
  }

  /**
   * The milliseconds until an event is due. Nothing waits for longer than the longest pause, or than until another
   * process takes over: what lies further ahead was stored before the clock was set back.
   */
  #untilDue({ isBeingSent, nextAttemptAt = Number.POSITIVE_INFINITY }: OutboxEntry): number {
    const wait = nextAttemptAt - this.#options.clock.now();
    const longest = isBeingSent ? TAKE_OVER : LONGEST_WAIT;
    return wait <= 0 || wait > longest + TOLERANCE ? 0 : wait;
  }

  /** Takes an event to be sent. `undefined`: another process has. */
  async #take(
    tx: Transaction,
    entry: OutboxEntry,
    before: OutboxEntry = entry,
  ): Promise<OutboxEntry | undefined> {
    const now = this.#options.clock.now();
    const taken = { ...entry, nextAttemptAt: now + TAKE_OVER, isBeingSent: true };
    return (await changeEvent(tx, before, taken, now)) ? taken : undefined;
  }

  async #deliver(entry: OutboxEntry, limit: number): Promise<OutboxEntry> {
    const { clock, db, log, provider, random } = this.#options;
    const attempt = await this.#attempt(entry, limit);
    const now = clock.now();
    const counted = { attempts: entry.attempts + 1, giveUpAt: entry.giveUpAt };
    const after: OutboxEntry = {
      ...entry,
      ...counted,
      ...provider().decisions.afterAttempt(attempt, counted, now, random),
      lastAttemptAt: now,
      isBeingSent: false,
    };
    const { audience, id, issuer, state } = after;
    try {
      const settled = await db.transaction(async (tx) => {
        if (await changeEvent(tx, entry, after, now)) {
          if (state !== 'pending') {
            await auditEvent(tx, after, END_ACTIONS[state], `provider ${issuer}`, now);
          }
          return after;
        }
        // Another process has taken over, and says what became of it.
        const [other = after] = await findEvents(tx, 'WHERE id = ?', [id]);
        return other;
      });
      log.info('provider.event', {
        audience,
        state: settled.state,
        problem: settled.problem?.code,
      });
      return settled;
    } catch (error) {
      // Its result cannot be stored, so it is sent again by whoever takes over: one effect.
      log.warn('provider.event_unsettled', { audience, name: nameOf(error) });
      return entry;
    }
  }

  /** Never rejects: whatever a port or a peer does, the attempt failed. */
  async #attempt(entry: OutboxEntry, limit: number): Promise<Attempt> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    try {
      const provider = this.#options.provider();
      if (!provider.config.mayNotify(entry.audience)) {
        const text = `its host is ${describeHost(new URL(entry.audience).hostname)}`;
        return { kind: 'refused', problem: { code: 'address_refused', text } };
      }
      signal.throwIfAborted();
      // Ended before its time, together with the attempt: that is ignored.
      const limited = this.#options.sleep?.(limit, signal);
      limited?.then(() => over.abort(unanswered('timeout'))).catch(() => {});
      return await Promise.race([provider.sendEvent(provider, entry, signal), aborted(signal)]);
    } catch (error) {
      return lost(error);
    } finally {
      over.abort();
    }
  }
}

/** Rejects, also when a port heeds no signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

function unanswered(code: 'aborted' | 'timeout'): NetworkError {
  return new NetworkError(code, 'No answer within the time limit.');
}

/** Its message could quote a secret. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
