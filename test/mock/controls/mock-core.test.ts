import { describe, expect, it } from 'vitest';
import { replacing } from '../../../src/mock/config/replacing.ts';
import { MockCore } from '../../../src/mock/controls/mock-core.ts';
import type { Database } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';

const HOUR = 3_600_000;

/** A store that counts how often it is read. @param isShared as one that other processes write to. */
async function watched(isShared: boolean) {
  const db = await openDatabase();
  const seen = { reads: 0, isGone: false };
  const counted: Database = replacing(db, {
    isShared,
    read: async (work) => {
      if (seen.isGone) throw new Error('The store is gone.');
      seen.reads += 1;
      const waits = held;
      held = undefined;
      const result = await db.read(work);
      await waits;
      return result;
    },
  });
  let held: Promise<void> | undefined;
  /** What the next reading has read arrives no sooner than it is released. */
  const hold = () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  const open = (random: number) =>
    MockCore.open({
      db: counted,
      owner: 'service',
      schema: { name: 'service', tables: [] },
      clock: new FakeClock(),
      random: new SeededRandom(random),
      knownFaults: [{ name: 'odd', group: null, description: '' }],
      keepKeysFor: HOUR,
    });
  return { db, hold, open, seen };
}

describe('following the store', () => {
  it('waits for nothing where no other process writes, but what was changed here', async () => {
    const { open, seen } = await watched(false);
    const [core, other] = [await open(1), await open(2)];
    await core.follow();
    seen.reads = 0;
    expect(core.follow()).toBeUndefined();
    expect(seen.reads).toBe(0);
    await core.db.transaction((tx) => other.live.writeOffset(tx, HOUR));
    await other.live.changed();
    await core.follow();
    expect(core.live.offset).toBe(HOUR);
    expect(core.follow()).toBeUndefined();
  });

  it('reads each time what another process may have changed: clock, faults and keys', async () => {
    const { db, open } = await watched(true);
    const [core, other] = [await open(1), await open(2)];
    await core.follow();
    const next = await other.keys.next(0);
    await db.transaction(async (tx) => {
      await other.live.writeOffset(tx, HOUR);
      await other.live.writeFaults(tx, ['odd']);
      await next.store(tx);
    });
    expect(core.live.offset).toBe(0);
    await core.follow();
    expect(core.live.offset).toBe(HOUR);
    expect(core.live.listFaults()).toEqual(['odd']);
    expect(core.keys.jwks().keys.map(({ kid }) => kid)).toContain(next.kid);
  });

  it('lets no request pass another one that still loads the keys', async () => {
    const { db, open } = await watched(true);
    const core = await open(1);
    await core.follow();
    const next = await core.keys.next(0);
    await db.transaction((tx) => next.store(tx));
    const first = core.follow();
    const second = core.follow();
    await second;
    expect(core.keys.jwks().keys.map(({ kid }) => kid)).toContain(next.kid);
    await first;
  });

  it('keeps what was read later when an earlier reading ends after it', async () => {
    const { db, hold, open } = await watched(true);
    const core = await open(1);
    await core.follow();
    const release = hold();
    const early = core.live.refresh();
    await db.transaction((tx) => core.live.writeOffset(tx, HOUR));
    await core.live.refresh();
    expect(core.live.offset).toBe(HOUR);
    release();
    await early;
    expect(core.live.offset).toBe(HOUR);
  });

  it('says in its promise alone that the store cannot be asked', async () => {
    const { open, seen } = await watched(true);
    const core = await open(1);
    seen.isGone = true;
    await expect(core.follow()).rejects.toThrow('The store is gone.');
  });
});
