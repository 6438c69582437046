import { describe, expect, it } from 'vitest';
import { isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { Arena } from './arena.ts';
import { CLAIM_RACES, type Race } from './claim-races.ts';
import { GRANT_RACES, LIMIT_RACES } from './grant-races.ts';

/** Until a race is lost; a head start of the many decides some of them, and is another one each time. */
const ROUNDS = 14;

/** A service that decides on what it read a while before it writes: one of `broken.js`. */
const LOST: readonly (readonly [fault: string, title: string])[] = [
  ['racyReplayCheck', 'an ID-JAG is redeemed once'],
  ['racyProvisioning', 'the first ID-JAGs of a subject make one registration'],
  [
    'racyAccount',
    'the first ID-JAGs that name a new email make one account, the others ask for it',
  ],
  ['racyEnd', 'no token outlives the end of its registration'],
  ['racyExchange', 'a claim ends every token from before it'],
  ['touchedTokens', 'a token that is revoked while it is used stays revoked'],
  ['racyIdJagAtEvent', 'an event has one effect, and nothing older outlives it'],
  ['racyTryLimit', 'of many wrong codes five are tries, and the right one is too late'],
  ['racySlowDown', 'of polls that come together one is in time'],
  ['racyReopen', 'an attempt is completed, or replaced by another one, and never both'],
  ['racyCode', 'a user code is taken once, and wrong ones beside it are counted'],
  ['racyLimits', 'five anonymous registrations an hour are admitted of one IP address'],
  ['racyLimits', 'sixty others an hour are'],
];

const RACES: Readonly<Record<string, Race>> = { ...CLAIM_RACES, ...GRANT_RACES, ...LIMIT_RACES };

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('a race is lost', () => {
  it.each(LOST)('by %s: %s', async (fault, title) => {
    const race = RACES[title];
    if (race === undefined) throw new Error(`There is no race "${title}".`);
    const arena = await Arena.start(1, { main: {}, limited: {} }, { faults: [fault] });
    try {
      expect(await isLost(arena, race)).toBe(true);
    } finally {
      await arena.replicas.stop();
    }
  });
});

/** By an expectation of it: whatever else fails is no proof. */
async function isLost(arena: Arena, race: Race): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    try {
      await race(arena);
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') return true;
      throw error;
    }
  }
  return false;
}
