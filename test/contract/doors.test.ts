import { describe, expect, it } from 'vitest';
import { describeWithPostgres } from '../support/postgres.ts';
import { postgresStores } from '../support/stores.ts';
import { DOORS } from './doors.ts';
import { FLOWS } from './flows.ts';
import { transcript, transcriptFile } from './transcript.ts';

const written = (exchanges: unknown) => `${JSON.stringify(exchanges, null, 2)}\n`;

describe.each(Object.entries(FLOWS))('the flow %s', (name, flow) => {
  it.each(DOORS)('is the golden transcript through $name', async (door) => {
    const exchanges = await transcript(door, flow);
    await expect(written(exchanges)).toMatchFileSnapshot(transcriptFile(name));
  });
});

describeWithPostgres('on PostgreSQL', (server) => {
  const newStore = postgresStores(server);
  const [plainCall] = DOORS;

  it.each(Object.entries(FLOWS))('the flow %s is the golden transcript', async (name, flow) => {
    const open = await newStore();
    const exchanges = await transcript(plainCall, flow, await open());
    await expect(written(exchanges)).toMatchFileSnapshot(transcriptFile(name));
  });
});
