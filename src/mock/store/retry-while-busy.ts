import { StoreBusyError } from './errors.ts';

/** Each try waits for the busy timeout by itself. */
const TRIES = 40;

/** For a start, which can wait: another process may be migrating. A request gets its 503 at once. */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreBusyError) || left <= 1) throw error;
    }
  }
}
