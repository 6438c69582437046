import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { Arena, type TwoStores } from './arena.ts';
import { CLAIM_RACES, type Race } from './claim-races.ts';
import { CROSS_APP_RACES } from './cross-app-races.ts';
import { GRANT_RACES, LIMIT_RACES } from './grant-races.ts';
import { KEY_RACES } from './key-races.ts';

/** How often each race is run, where RACE_ROUNDS says nothing: `npm run test:races` runs 50. */
const ROUNDS = { memory: 3, file: 2, postgres: 2 } as const;
const GIVEN_ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 0);
/** How many rounds at once, each over registrations of its own. */
const LANES = 2;
/** What each service does wrong: to see that a race is lost. */
const FAULTS = (process.env['RACE_FAULTS'] ?? '').split(',').filter(Boolean);

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('100 at once', () => {
  describe('one process, in memory', () =>
    itHasOneWinner(1, ROUNDS.memory, async () => ({ main: {}, limited: {} })));

  describe('one process, one file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    itHasOneWinner(1, ROUNDS.file, async () => ({
      main: { file: join(folder, 'main.db') },
      limited: { file: join(folder, 'limited.db') },
    }));
  });

  describeWithPostgres('three processes, PostgreSQL', (server) =>
    itHasOneWinner(3, ROUNDS.postgres, async () => {
      const place = async () => ({ address: await server.newDatabase(), busyTimeout: 30_000 });
      return { main: await place(), limited: await place() };
    }),
  );
});

function itHasOneWinner(
  processes: number,
  rounds: number,
  newStores: () => Promise<TwoStores>,
): void {
  let arena: Arena;
  beforeAll(async () => {
    arena = await Arena.start(processes, await newStores(), { faults: FAULTS });
  });
  afterAll(() => arena?.replicas.stop());

  it.each(Object.entries({ ...CLAIM_RACES, ...GRANT_RACES, ...CROSS_APP_RACES, ...KEY_RACES }))(
    '%s',
    (_title, race) => run(arena, race, rounds, LANES),
  );
  it.each(Object.entries(LIMIT_RACES))('%s', (_title, race) => run(arena, race, rounds, 1));
}

async function run(arena: Arena, race: Race, rounds: number, lanes: number): Promise<void> {
  let left = GIVEN_ROUNDS || rounds;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await race(arena);
    }
  };
  const { replicas } = arena;
  const busy = replicas.busy;
  await Promise.all(Array.from({ length: lanes }, lane));
  // Nobody is told to come again.
  expect(replicas.busy).toBe(busy);
}
