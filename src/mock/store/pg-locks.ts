import type { LockName } from './database.ts';

/** `xact`: until the transaction ends. */
type Act = 'lock_shared' | 'unlock_shared' | 'xact_lock' | 'xact_lock_shared';

/**
 * A statement that takes or gives back an advisory lock of PostgreSQL, by its name. Two names of one hash wait
 * for each other, and nothing worse.
 */
export function advisoryLock(act: Act, name: LockName): string {
  return `SELECT pg_advisory_${act}(hashtextextended('${lockKey(name)}', 0))`;
}

/** What is hashed. */
export function lockKey(name: LockName): string {
  return JSON.stringify(name);
}
