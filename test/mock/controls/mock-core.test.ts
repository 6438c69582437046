import { describe, expect, it } from 'vitest';
import {
  createTables,
  type Database,
  MockCore,
  openDatabase,
  replacing,
} from '../../../src/mock/index.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';

const HOUR = 3_600_000;

/** A store that tells when its settings may have changed, and counts how often they are read. */
async function watched() {
  const db = await openDatabase();
  await createTables(db, []);
  const seen = { version: 1 as number | undefined, reads: 0 };
  const counted: Database = replacing(db, {
    settingsVersion: () => {
      if (seen.version === 0) throw new Error('The store is gone.');
      return seen.version;
    },
    read: async (work) => {
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
      clock: new FakeClock(),
      random: new SeededRandom(random),
      knownFaults: [{ name: 'odd', group: null, description: '' }],
      keepKeysFor: HOUR,
    });
  return { db, hold, open, seen };
}

describe('following the store', () => {
  it('waits for nothing while nothing has changed', async () => {
    const { open, seen } = await watched();
    const core = await open(1);
    await core.follow();
    seen.reads = 0;
    expect(core.follow()).toBeUndefined();
    expect(seen.reads).toBe(0);
  });

  it('reads again what another process has changed: clock, faults and keys', async () => {
    const { db, open, seen } = await watched();
    const core = await open(1);
    const other = await open(2);
    await core.follow();
    const next = await other.keys.next(0);
    await db.transaction(async (tx) => {
      await other.live.writeOffset(tx, HOUR);
      await other.live.writeFaults(tx, ['odd']);
      await next.store(tx);
    });
    expect(core.live.offset).toBe(0);
    seen.version = 2;
    await core.follow();
    expect(core.live.offset).toBe(HOUR);
    expect(core.live.listFaults()).toEqual(['odd']);
    expect(core.keys.jwks().keys.map(({ kid }) => kid)).toContain(next.kid);
    expect(core.follow()).toBeUndefined();
  });

  it('lets no request pass another one that still loads the keys', async () => {
    const { db, open, seen } = await watched();
    const core = await open(1);
    await core.follow();
    const next = await core.keys.next(0);
    await db.transaction((tx) => next.store(tx));
    seen.version = 2;
    const first = core.follow();
    const second = core.follow();
    await second;
    expect(core.keys.jwks().keys.map(({ kid }) => kid)).toContain(next.kid);
    await first;
  });

  it('keeps what was read later when an earlier reading ends after it', async () => {
    const { db, hold, open, seen } = await watched();
    const core = await open(1);
    await core.follow();
    seen.version = 2;
    const release = hold();
    const early = core.live.refresh();
    await db.transaction((tx) => core.live.writeOffset(tx, HOUR));
    seen.version = 3;
    await core.live.refresh();
    expect(core.live.offset).toBe(HOUR);
    release();
    await early;
    expect(core.live.offset).toBe(HOUR);
    expect(core.live.isCurrent()).toBe(true);
  });

  it('reads each time where the store cannot tell', async () => {
    const { open, seen } = await watched();
    const core = await open(1);
    seen.version = undefined;
    await core.follow();
    seen.reads = 0;
    expect(core.follow()).toBeInstanceOf(Promise);
    expect(seen.reads).toBeGreaterThan(0);
  });

  it('says in its promise alone that the store cannot be asked', async () => {
    const { open, seen } = await watched();
    const core = await open(1);
    seen.version = 0;
    await expect(core.follow()).rejects.toThrow('The store is gone.');
  });
});
