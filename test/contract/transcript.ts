import { join } from 'node:path';
import type { Database } from '../../src/mock/index.ts';
import { Harness, PROVIDER } from '../mock-service/harness.ts';
import { ed25519Key } from '../support/ed25519.ts';
import type { Door } from './doors.ts';
import type { Flow } from './flows.ts';
import { type Exchange, recorder } from './recorder.ts';

/** Fixed clock, seeded randomness, keys whose signatures repeat: nothing is left to chance. */
export async function transcript(
  door: Door,
  flow: Flow,
  db?: Database,
): Promise<readonly Exchange[]> {
  const h = await Harness.start({
    ...(db && { db }),
    keys: [ed25519Key('mock service')],
    algorithm: 'EdDSA',
    users: [{ email: 'known@example.com' }],
    trust: [{ issuer: PROVIDER, name: 'Example Provider' }],
  });
  await h.provider.useKey(ed25519Key('fake provider'));
  let exchanges: readonly Exchange[] = [];
  await door.use(h.service, async (fetch) => {
    const recorded = recorder(fetch);
    await flow({ fetch: recorded.fetch, clock: h.clock, provider: h.provider });
    exchanges = recorded.exchanges;
  });
  await h.service.close();
  return exchanges;
}

/** The golden file of a flow. */
export function transcriptFile(name: string, folder = '.'): string {
  return join(
    import.meta.dirname,
    '../../fixtures/transcripts',
    folder,
    `${name.replaceAll(/[^a-z_]+/g, '-')}.json`,
  );
}
