import { afterAll } from 'vitest';

/** Taken now: a test may put a fake one in its place. */
const turn = setImmediate;
/** What is about to end, such as a server that closes, takes some. */
const TURNS = 1000;

/**
 * A loop that a file leaves behind, such as a wait for what never comes, takes the time of every later file of
 * its worker: those are told of here, by the file that began them.
 */
afterAll(async () => {
  for (let turns = 0; turns < TURNS; turns += 1) {
    if (!process.getActiveResourcesInfo().includes('Immediate')) return;
    await new Promise<void>((resolve) => turn(resolve));
  }
  throw new Error(
    'Something still turns after the tests of this file: an immediate that begins the next one.',
  );
});
