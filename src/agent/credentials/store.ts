import type { Abortable } from '../context.ts';
import type { Credentials } from '../model.ts';

/** Where credentials live. One contract suite runs over every implementation. */
export interface CredentialStore {
  /** Where credentials lie, for users: a path, or `memory`. */
  readonly location: string;

  /** @throws AgentError `credentials_…` when what is there cannot be trusted or read. */
  read(): Promise<Credentials>;

  /**
   * Reads, changes and writes inside one lock, so that two processes lose nothing. `change` is pure and
   * may run in any process order, also more than once; what it throws leaves the store as it was.
   */
  update<T>(change: (current: Credentials) => readonly [next: Credentials, result: T]): Promise<T>;

  /**
   * Proves that {@link update} can write, before a user is sent through a ceremony.
   * @throws AgentError `credentials_not_writable`, or why the present file cannot be used.
   */
  probeWritable(): Promise<void>;

  /**
   * Takes the lock of that name, once nobody else holds it; resolves with what releases it. One whose holder
   * died is taken over. Two that register at one service at once would register twice. Left out: such locks
   * hold within this process.
   * @throws AgentError `aborted`, or why no lock can be made.
   */
  lock?(name: string, waiting?: LockWait): Promise<ReleaseLock>;
}

/** How a lock is waited for. */
export interface LockWait extends Abortable {
  /** Called once, where somebody else holds the lock. */
  readonly onWait?: (() => void) | undefined;
}

/** Ends a lock that was taken. */
export type ReleaseLock = () => Promise<void>;
