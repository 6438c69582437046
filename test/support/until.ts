/** Taken now: a test may put fake ones in their place. */
const turn = setImmediate;
const now = performance.now.bind(performance);
/** Milliseconds, so that a wait ends before the limit of the test, and says why. */
const LIMIT = 60_000;

/**
 * Waits, turn by turn, until something is true. It always ends: a worker goes on to other files, and what
 * still turned there would keep them from their own work.
 */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = now(); now() - start < LIMIT; ) {
    if (await isTrue()) return;
    await new Promise<void>((resolve) => turn(resolve));
  }
  throw new Error('It never came true.');
}
