import { type Database, retryWhileBusy } from '../../mock/index.ts';
import { describeHost, MINUTE, SECOND } from '../../protocol/index.ts';
import { type Clock, type Log, type Random, randomToken, type Sleep } from '../../runtime/index.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { Attempt, afterAttempt } from './after-attempt.ts';
import { inSlots } from './in-slots.ts';
import type { Leased, OutboxEntry } from './outbox-entry.ts';
import { OutboxStore, type SentAgainBy } from './outbox-store.ts';
import { lost } from './receive-answer.ts';
import type { SendEvent, Sender } from './sender.ts';
import { WakeSignal } from './wake-signal.ts';
import { withinTime } from './within-time.ts';

/** The provider, as far as events are sent with it. */
interface OutboxProvider extends Sender {
  readonly config: Pick<ProviderConfig, 'issuer' | 'mayNotify'>;
  readonly decisions: Sender['decisions'] & { readonly afterAttempt: typeof afterAttempt };
  readonly sendEvent: SendEvent;
}

/** What an {@link Outbox} is made of. */
export interface OutboxOptions {
  /** With its tables. */
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
  /** Bounds an attempt. Left out: only `fetch` does. */
  readonly sleep?: Sleep | undefined;
}

/** How long a caller waits to learn whether the service was notified. */
const WHILE_WAITED_FOR = 5 * SECOND;
/** How long an attempt in the background may take; shorter than a lease. */
const IN_THE_BACKGROUND = MINUTE / 2;
const AT_ONCE = 8;
/** How often to look for more while some are being sent. */
const LOOK_AGAIN = SECOND;
const LISTED = 200;

/** How long an attempt may take, and how its result is stored. */
interface AttemptLimits {
  readonly limit: number;
  readonly store: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Events on their way to services: that a consent was revoked. Each is stored in the transaction that
 * revokes, and stays until it is delivered or parked, whatever happens to this process.
 */
export class Outbox {
  /** Woken when an event is left to be sent later. */
  readonly waiting = new WakeSignal();
  readonly #options: OutboxOptions;
  readonly #store: OutboxStore;
  readonly #closing = new AbortController();

  constructor(options: OutboxOptions) {
    const { clock, db, issuer } = options;
    this.#options = options;
    this.#store = new OutboxStore(db, clock, issuer);
  }

  /** The newest entries of all users, 200 at most. */
  list(): Promise<readonly OutboxEntry[]> {
    return this.#store.list(LISTED);
  }

  /** The events about one user, newest first, at most `limit`. */
  listOf(email: string, limit: number): Promise<readonly OutboxEntry[]> {
    return this.#store.listOf(email, limit);
  }

  /** The events of the newest revocation of a user's consent to an audience. */
  latest(email: string, audience: string): Promise<readonly OutboxEntry[]> {
    return this.#store.latest(email, audience);
  }

  /** In milliseconds, never negative; `undefined` when nothing is pending. */
  async untilDue(): Promise<number | undefined> {
    const at = await this.#store.nextDueAt();
    return at === undefined ? undefined : Math.max(0, at - this.#options.clock.now());
  }

  /** Sends what was just queued, and returns its state after at most five seconds. */
  async deliverNow(leased: Leased): Promise<OutboxEntry> {
    // Stored at the first try or not at all: a caller waits, and another attempt follows when the lease ends.
    const once: AttemptLimits = { limit: WHILE_WAITED_FOR, store: (work) => work() };
    const entry = await this.#deliver(leased, once, this.#closing.signal);
    if (entry.state === 'pending') this.waiting.wake();
    return entry;
  }

  /**
   * Sends an entry once more, whether it is pending, parked or had no receiver, and keeps trying. One
   * that is delivered stays so, as does one of another issuer. `undefined`: there is none of that id, or
   * it is not that user's.
   */
  async sendAgain(
    id: string,
    by: SentAgainBy = { actor: 'control' },
  ): Promise<OutboxEntry | undefined> {
    const found = await this.#store.claimAgain(id, this.#newLease(), by);
    return found?.leased === undefined ? found?.entry : this.deliverNow(found.leased);
  }

  /**
   * Sends everything that is due, also what becomes so meanwhile. Ends early when aborted.
   * @param onTried called with each entry after its attempt.
   */
  async deliverDue(
    signal: AbortSignal = this.#closing.signal,
    onTried: (entry: OutboxEntry) => void = () => {},
  ): Promise<void> {
    await this.#options.prepare();
    const { sleep } = this.#options;
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const patient: AttemptLimits = { limit: IN_THE_BACKGROUND, store: retryWhileBusy };
    await inSlots({
      slots: AT_ONCE,
      claim: async (free) => {
        if (either.aborted || (await this.untilDue()) !== 0) return [];
        return this.#store.claimDue(this.#newLease(), free);
      },
      work: async (leased) => onTried(await this.#deliver(leased, patient, either)),
      pause: sleep && ((over) => sleep(LOOK_AGAIN, over)),
    });
  }

  /** Aborts what is under way: it is due at once for the next process. */
  close(): void {
    this.#closing.abort();
  }

  async #deliver(
    leased: Leased,
    { limit, store }: AttemptLimits,
    signal: AbortSignal,
  ): Promise<OutboxEntry> {
    const { clock, log, provider, random } = this.#options;
    const attempt = await this.#attempt(leased.entry, limit, signal);
    try {
      if (signal.aborted && attempt.kind === 'failed') {
        await this.#store.release(leased);
        return leased.entry;
      }
      const counted = { attempts: leased.entry.attempts + 1, giveUpAt: leased.giveUpAt };
      const { afterAttempt } = provider().decisions;
      const after = afterAttempt(attempt, counted, clock.now(), random);
      const entry = await store(() => this.#store.settle(leased, after));
      const { audience, problem, state } = entry;
      log.info('provider.event', { audience, state, problem: problem?.code });
      return entry;
    } catch {
      // Its result cannot be stored, so it is sent again once the lease ends: one effect.
      log.warn('provider.event_unsettled', { audience: leased.entry.audience });
      return leased.entry;
    }
  }

  /** Never rejects: whatever a port or a peer does, the attempt failed. */
  async #attempt(entry: OutboxEntry, limit: number, signal: AbortSignal): Promise<Attempt> {
    try {
      const provider = this.#options.provider();
      if (!provider.config.mayNotify(entry.audience)) {
        const text = `its host is ${describeHost(new URL(entry.audience).hostname)}`;
        return { kind: 'refused', problem: { code: 'address_refused', text } };
      }
      return await withinTime(this.#options.sleep, limit, signal, (over) =>
        provider.sendEvent(provider, entry, over),
      );
    } catch (error) {
      return lost(error);
    }
  }

  #newLease(): string {
    return randomToken(this.#options.random, 'lease_');
  }
}
