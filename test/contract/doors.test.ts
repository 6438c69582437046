import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Harness, PROVIDER } from '../mock-service/harness.ts';
import { ed25519Key } from '../support/ed25519.ts';
import { DOORS, type Door } from './doors.ts';
import { type Exchange, recorder } from './recorder.ts';
import { STORIES, type Story } from './stories.ts';

const TRANSCRIPTS = join(import.meta.dirname, '../../fixtures/transcripts');

/** Fixed clock, seeded randomness, keys whose signatures repeat: nothing is left to chance. */
async function transcript(door: Door, story: Story): Promise<readonly Exchange[]> {
  const h = await Harness.start({
    keys: [ed25519Key('mock service')],
    algorithm: 'EdDSA',
    users: [{ email: 'known@example.com' }],
    trust: [{ issuer: PROVIDER, name: 'Example Provider' }],
  });
  await h.provider.useKey(ed25519Key('fake provider'));
  let exchanges: readonly Exchange[] = [];
  await door.use(h.service, async (fetch) => {
    const recorded = recorder(fetch);
    await story({ fetch: recorded.fetch, clock: h.clock, provider: h.provider });
    exchanges = recorded.exchanges;
  });
  await h.service.close();
  return exchanges;
}

describe.each(Object.entries(STORIES))('the story of %s', (name, story) => {
  it.each(DOORS)('is the golden transcript through $name', async (door) => {
    const exchanges = await transcript(door, story);
    const file = `${name.replaceAll(/[^a-z_]+/g, '-')}.json`;
    await expect(`${JSON.stringify(exchanges, null, 2)}\n`).toMatchFileSnapshot(
      join(TRANSCRIPTS, file),
    );
  });
});
