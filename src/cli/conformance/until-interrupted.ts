import { Interrupted } from '../terminal/interrupted.ts';

/** How long a run may take to end its scenario and close its servers. Milliseconds. */
const GRACE = 2_000;

/**
 * After an interrupt, waits a short time for the work to end itself, so that it closes its servers and sets
 * a moved clock back. Work that takes longer is abandoned; a second Ctrl-C ends the process.
 * @throws Interrupted
 */
export async function untilInterrupted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const working = work();
  let timer: NodeJS.Timeout | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer = setTimeout(() => reject(new Interrupted()), GRACE);
    };
    signal.addEventListener('abort', begin, { once: true });
    working.finally(() => signal.removeEventListener('abort', begin)).catch(() => {});
  });
  try {
    return await Promise.race([working, interrupted]);
  } finally {
    clearTimeout(timer);
  }
}
