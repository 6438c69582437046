import { untilAborted } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { CredentialStore, LockWait, ReleaseLock } from './store.ts';

/** A store whose locks hold at least within this process. */
export type LockingStore = CredentialStore & Required<Pick<CredentialStore, 'lock'>>;

/** When whoever came last will have released the lock, by store and then by name. */
const queues = new WeakMap<CredentialStore, Map<string, Promise<void>>>();

/** The same store, with locks: its own, else those that all who have this very store share. */
export function withLock(store: CredentialStore): LockingStore {
  const queue = queues.get(store) ?? new Map<string, Promise<void>>();
  queues.set(store, queue);
  return {
    location: store.location,
    read: () => store.read(),
    update: (change) => store.update(change),
    probeWritable: () => store.probeWritable(),
    lock: (name, waiting = {}) =>
      store.lock === undefined ? enqueue(queue, name, waiting) : store.lock(name, waiting),
  };
}

async function enqueue(
  queue: Map<string, Promise<void>>,
  name: string,
  { signal, onWait }: LockWait,
): Promise<ReleaseLock> {
  const before = queue.get(name);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const turn = Promise.all([before, released]).then(() => {
    if (queue.get(name) === turn) queue.delete(name);
  });
  queue.set(name, turn);
  if (before !== undefined) {
    onWait?.();
    await untilAborted(before, signal).catch((cause) => {
      release();
      throw new AgentError('The wait was interrupted.', { code: 'aborted', cause });
    });
  }
  return async () => release();
}
