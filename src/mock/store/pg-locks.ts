import type { LockName } from './database.ts';

/**
 * A statement that takes or gives back an advisory lock of PostgreSQL, by its name. Two names of one hash wait
 * for each other, and nothing worse.
 */
export function advisoryLock(act: 'lock_shared' | 'unlock_shared', name: LockName): string {
  return `SELECT pg_advisory_${act}(hashtextextended('${lockKey(name)}', 0))`;
}

/** What is hashed. */
export function lockKey(name: LockName): string {
  return JSON.stringify(name);
}
