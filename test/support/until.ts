/** Taken now: a test may put fake ones in their place. */
const turn = setImmediate;
const pause = setTimeout;
const now = performance.now.bind(performance);
/** Milliseconds, so that a wait ends before the limit of the test, and says why. */
const LIMIT = 60_000;

/** What needs more turns waits for another thread or process, which is not to be kept from the processor. */
const TURNS = 50;

/**
 * Waits, turn by turn, until something is true. It always ends: a worker goes on to other files, and what
 * still turned there would keep them from their own work.
 */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const start = now();
  for (let turns = 0; now() - start < LIMIT; turns += 1) {
    if (await isTrue()) return;
    await new Promise<void>((resolve) => {
      if (turns < TURNS) turn(resolve);
      else pause(resolve, 1);
    });
  }
  throw new Error('It never came true.');
}
