import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { notWritable, systemCode } from './private-file.ts';
import type { LockWait, ReleaseLock } from './store.ts';

/** A lock this old belongs to a process that died. Milliseconds. */
export const STALE = 5000;
/** Tries for a minute: of 25 programs at once on a busy machine each comes to its turn. */
const PATIENCE = { retries: 400, minTimeout: 10, maxTimeout: 150, factor: 1.5, randomize: true };

/**
 * Runs `work` while no other process holds the lock of `path`. `work` gets a check that throws when the
 * lock was lost meanwhile (the machine slept): it calls it right before it writes.
 * @throws AgentError `credentials_locked` or `credentials_not_writable`; LockLost by that check.
 */
export async function withFileLock<T>(
  path: string,
  work: (confirm: () => void) => Promise<T>,
): Promise<T> {
  // Loaded when first needed: reading takes no lock.
  const { lock } = await import('proper-lockfile');
  let lost = false;
  let release: () => Promise<void>;
  try {
    release = await lock(path, {
      realpath: false,
      stale: STALE,
      retries: PATIENCE,
      onCompromised: () => {
        lost = true;
      },
    });
  } catch (error) {
    throw systemCode(error) === 'ELOCKED' ? lockedByAnother(path, error) : notWritable(path, error);
  }
  try {
    return await work(() => {
      if (lost) throw new LockLost();
    });
  } finally {
    // Releasing a lost lock fails: another process holds it.
    await release().catch(() => {});
  }
}

/** Between two looks at a lock that somebody holds. Milliseconds. */
const LOOK_AGAIN = 50;

/**
 * Takes a lock beside the file at `path`, by its name, and waits for it as long as its holder lives.
 * @throws AgentError `aborted` or `credentials_not_writable`.
 */
export async function takeNamedLock(
  path: string,
  name: string,
  { signal, onWait }: LockWait,
): Promise<ReleaseLock> {
  const { lock } = await import('proper-lockfile');
  const place = lockedPath(path, name);
  for (let tries = 1; ; tries += 1) {
    try {
      // One that is lost, because the machine slept, is another's: there is nothing to undo.
      const options = { realpath: false, stale: STALE, onCompromised: () => {} };
      const release = await lock(place, options);
      return () => release().catch(() => {});
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw notWritable(place, error);
    }
    if (tries === 1) onWait?.();
    await sleep(LOOK_AGAIN, undefined, { signal }).catch((cause) => {
      throw new AgentError('The wait was interrupted.', { code: 'aborted', cause });
    });
  }
}

/** A name may hold a URL, which is no name of a file. */
export function lockedPath(path: string, name: string): string {
  return `${path}.${sha256(name).slice(0, 16)}`;
}

/** Another process has taken the lock. Nothing was written, so the work can be repeated. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

export function lockedByAnother(path: string, cause?: unknown): AgentError {
  return new AgentError(`Another process keeps the credential file ${path} locked.`, {
    code: 'credentials_locked',
    hint: 'Try again; if no other agent-auth runs, remove the folder ending in .lock beside it.',
    cause,
  });
}
