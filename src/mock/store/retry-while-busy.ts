import { StoreBusyError } from './errors.ts';

/** Each attempt waits for the busy timeout by itself. */
const TRIES = 40;

/** For the start of a mock, when another process may be making its tables; a request is answered 503 at once. */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreBusyError) || left <= 1) throw error;
    }
  }
}
