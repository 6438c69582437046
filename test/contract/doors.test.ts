import { describe, expect, it } from 'vitest';
import { describeWithPostgres } from '../support/postgres.ts';
import { postgresStores } from '../support/stores.ts';
import { DOORS } from './doors.ts';
import { STORIES } from './stories.ts';
import { transcript, transcriptFile } from './transcript.ts';

const written = (exchanges: unknown) => `${JSON.stringify(exchanges, null, 2)}\n`;

describe.each(Object.entries(STORIES))('the story of %s', (name, story) => {
  it.each(DOORS)('is the golden transcript through $name', async (door) => {
    const exchanges = await transcript(door, story);
    await expect(written(exchanges)).toMatchFileSnapshot(transcriptFile(name));
  });
});

describeWithPostgres('on PostgreSQL', (server) => {
  const newStore = postgresStores(server);
  const [plainCall] = DOORS;

  it.each(Object.entries(STORIES))(
    'the story of %s is the golden transcript',
    async (name, story) => {
      const open = await newStore();
      const exchanges = await transcript(plainCall, story, await open());
      await expect(written(exchanges)).toMatchFileSnapshot(transcriptFile(name));
    },
  );
});
