import type { LockName } from './database.ts';
import type { PgListener } from './pg-connections.ts';
import { advisoryLock } from './pg-locks.ts';

/** What is told to all processes when one is about to change settings. */
const CHANNEL = 'agent_auth_settings';
/** Held by whoever changes settings, from before it tells the others until its transaction ends. */
const CHANGING: LockName = ['settings changing'];
/** Shared by all who rely on the settings that they have read. */
const RELIED_ON: LockName = ['settings relied on'];

/** A server that has lost this process gives its lock back after 20 seconds, too (PostgreSQL, chapter 20.3.2). */
const LISTEN = [
  'SET tcp_keepalives_idle = 10',
  'SET tcp_keepalives_interval = 2',
  'SET tcp_keepalives_count = 5',
  'SET tcp_user_timeout = 20000',
  `LISTEN ${CHANNEL}`,
].join('; ');
const ANNOUNCE = `NOTIFY ${CHANNEL}`;
/** Waits for a change that is under way. */
const RELY = [
  advisoryLock('lock_shared', CHANGING),
  advisoryLock('lock_shared', RELIED_ON),
  advisoryLock('unlock_shared', CHANGING),
].join('; ');
const RELY_ANEW = `${advisoryLock('unlock_shared', RELIED_ON)}; ${RELY}`;

/**
 * Makes sure that no process relies on settings that it has read, until a transaction has ended: it tells all
 * of them, and waits until they have heard it. A process that is gone is not waited for, once the server knows
 * it; one that hangs is, as for any lock.
 */
export async function awaitNobodyRelying(
  lock: (name: LockName) => Promise<void>,
  tell: (sql: string) => Promise<unknown>,
): Promise<void> {
  await lock(CHANGING);
  await tell(ANNOUNCE);
  await lock(RELIED_ON);
}

/**
 * Whether the settings are still what this process has read: a connection of its own holds a lock that whoever
 * changes them has to wait for, and gives it back as soon as it is told. While that connection is lost, nothing
 * is relied on, and each use tries to have another one. Where the network between is cut without a word, that is
 * noticed after about 20 seconds; until then a change by another process is not seen.
 */
export class SettingsWatch {
  readonly #connect: () => PgListener;
  #listener: PgListener | undefined;
  #version = 0;
  #isReliable = false;
  #told = 0;
  #isWaiting = false;
  #isClosed = false;

  constructor(connect: () => PgListener) {
    this.#connect = connect;
  }

  /** Another one for each time that the settings may have changed; `undefined` while that is not known. */
  version(): number | undefined {
    if (this.#listener === undefined && !this.#isClosed) this.#start();
    return this.#isReliable ? this.#version : undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const listener = this.#listener;
    this.#lose(listener);
    await listener?.end().catch(() => {});
  }

  #start(): void {
    const listener = this.#connect();
    this.#listener = listener;
    listener.on('error', () => this.#lose(listener));
    listener.on('end', () => this.#lose(listener));
    listener.on('notification', () => this.#hear(listener));
    const begin = async () => {
      await listener.connect();
      listener.unref();
      await listener.query(LISTEN);
    };
    void this.#relyAfter(listener, begin, RELY);
  }

  #hear(listener: PgListener): void {
    this.#isReliable = false;
    this.#told += 1;
    if (!this.#isWaiting) void this.#relyAfter(listener, async () => {}, RELY_ANEW);
  }

  /** Never rejects: without the connection there is nothing to rely on. */
  async #relyAfter(
    listener: PgListener,
    before: () => Promise<void>,
    first: string,
  ): Promise<void> {
    this.#isWaiting = true;
    try {
      await before();
      let heard: number;
      let sql = first;
      do {
        heard = this.#told;
        await listener.query(sql);
        sql = RELY_ANEW;
      } while (heard !== this.#told);
      if (this.#listener !== listener) return;
      this.#version += 1;
      this.#isReliable = true;
    } catch {
      this.#lose(listener);
      await listener.end().catch(() => {});
    } finally {
      if (this.#listener === listener || this.#listener === undefined) this.#isWaiting = false;
    }
  }

  #lose(listener: PgListener | undefined): void {
    if (this.#listener !== listener) return;
    this.#isReliable = false;
    this.#listener = undefined;
  }
}
