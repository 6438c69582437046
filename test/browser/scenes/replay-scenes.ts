import type { Scene } from './scene.ts';

/** What a browser is shown by a recorded service that answers again. */
export const REPLAY_SCENES: readonly Scene[] = [
  {
    name: 'replay-start',
    heading: 'A recorded service, answering again',
    open: async ({ page, world }) => {
      await page.goto(world.replay.url);
    },
  },
  {
    name: 'replay-not-recorded',
    heading: 'This request was never recorded.',
    open: async ({ page, world }) => {
      await page.goto(`${world.replay.url}/no/such/page?of=${'a'.repeat(200)}`);
    },
  },
];
