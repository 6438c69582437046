import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  column,
  type Database,
  openDatabase,
  type Transaction,
  type Value,
} from '../../../src/mock/index.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

async function fresh(name: string): Promise<{ readonly db: Database; readonly file: string }> {
  const file = at(`${name}.db`);
  const db = await openDatabase({ file });
  opened.push(db);
  await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT PRIMARY KEY)'));
  return { db, file };
}

const insert = (db: Database, id: Value) =>
  db.transaction((tx) => tx.run('INSERT INTO table_sets VALUES (?)', [id]));

/** In memory, and on a file. */
const PLACES = ['memory', 'file'] as const;

async function freshAt(place: (typeof PLACES)[number], name: string): Promise<Database> {
  if (place === 'file') return (await fresh(name)).db;
  const db = await openDatabase();
  opened.push(db);
  await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT PRIMARY KEY)'));
  return db;
}

const settled = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status);

async function stored(db: Database): Promise<readonly string[]> {
  const rows = await db.read((reader) => reader.all('SELECT id FROM table_sets ORDER BY id'));
  return rows.map(({ id }) => column.text(id));
}

/**
 * The commits in a log, each of which was synced (`synchronous=FULL`): the last frame of each says how
 * large the database is after it (https://www.sqlite.org/fileformat2.html §4.1).
 */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let start = 32; start + frame <= log.length; start += frame) {
    if (!log.subarray(start + 8, start + 16).equals(salt)) break;
    if (log.readUInt32BE(start + 4) > 0) commits += 1;
  }
  return commits;
}

describe('transactions of one turn', () => {
  it('share one sync of the disk, sixteen of them', async () => {
    const { db, file } = await fresh('shared');
    const before = commitsIn(file);
    const names = Array.from({ length: 16 }, (_, n) => `row ${n}`);
    await Promise.all(names.map((name) => insert(db, name)));
    expect(commitsIn(file) - before).toBe(1);
    expect(await stored(db)).toEqual(names.toSorted());
  });

  it('are committed in several goes where they are many, so that others are let in', async () => {
    const { db, file } = await fresh('many');
    const before = commitsIn(file);
    await Promise.all(Array.from({ length: 200 }, (_, n) => insert(db, `row ${n}`)));
    const commits = commitsIn(file) - before;
    expect(commits).toBeGreaterThan(2);
    expect(commits).toBeLessThanOrEqual(8);
  });

  it('are not answered before they are committed', async () => {
    const { db, file } = await fresh('answered');
    const before = commitsIn(file);
    const commits = await Promise.all(
      ['a', 'b', 'c'].map((id) => insert(db, id).then(() => commitsIn(file) - before)),
    );
    expect(commits).toEqual([1, 1, 1]);
  });

  it.each(
    PLACES.flatMap((place) =>
      [[0], [1], [3], [0, 1], [1, 3], [0, 1, 2, 3]].map((failing) => ({ place, failing })),
    ),
  )('are kept but for those that fail after a change: $failing, in $place', async (given) => {
    const { failing, place } = given;
    const db = await freshAt(place, `failing-${failing.join('-')}`);
    const names = ['a', 'b', 'c', 'd'];
    const results = await settled(
      names.map((name, n) =>
        db.transaction(async (tx) => {
          await tx.run('INSERT INTO table_sets VALUES (?)', [name]);
          if (failing.includes(n)) throw new RangeError('no');
        }),
      ),
    );
    const expected = names.map((_, n) => (failing.includes(n) ? 'rejected' : 'fulfilled'));
    expect(results).toEqual(expected);
    expect(await stored(db)).toEqual(names.filter((_, n) => !failing.includes(n)));
  });

  it.each(PLACES)(
    'run once more when one of them is undone, and no oftener, in %s',
    async (place) => {
      const db = await freshAt(place, 'anew');
      const runs = { a: 0, b: 0, refused: 0, c: 0 };
      const count = (name: keyof typeof runs, work: (tx: Transaction) => Promise<unknown>) =>
        db.transaction((tx) => {
          runs[name] += 1;
          return work(tx);
        });
      const inserting = (name: keyof typeof runs) =>
        count(name, (tx) => tx.run('INSERT INTO table_sets VALUES (?)', [name]));
      const refused = count('refused', async (tx) => {
        await tx.get('SELECT id FROM table_sets');
        throw new RangeError('no');
      });
      expect(await settled([inserting('a'), refused, inserting('b')])).toContain('rejected');
      // It had changed nothing.
      expect(runs).toEqual({ a: 1, b: 1, refused: 1, c: 0 });
      expect(await settled([inserting('c'), inserting('a'), inserting('b')])).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
      ]);
      expect(runs).toEqual({ a: 3, b: 2, refused: 1, c: 2 });
      expect(await stored(db)).toEqual(['a', 'b', 'c']);
    },
  );

  it('are committed while a test holds all timers', async () => {
    vi.useFakeTimers();
    try {
      const db = await freshAt('memory', 'timers');
      await insert(db, 'a');
      expect(await stored(db)).toEqual(['a']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('see what those before them have changed', async () => {
    const { db } = await fresh('seen');
    const counts = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        db.transaction(async (tx) => {
          await tx.run('INSERT INTO table_sets VALUES (?)', [name]);
          return (await tx.all('SELECT id FROM table_sets')).length;
        }),
      ),
    );
    expect(counts).toEqual([1, 2, 3]);
  });

  it('are all refused when their commit fails, and none is kept', async () => {
    const { db } = await fresh('refused');
    await db.transaction((tx) =>
      tx.run('CREATE TABLE t (a TEXT REFERENCES table_sets DEFERRABLE INITIALLY DEFERRED)'),
    );
    const reading = db.read((reader) => reader.all('SELECT id FROM table_sets'));
    const results = await settled([
      insert(db, 'a'),
      db.transaction((tx) => tx.run("INSERT INTO t VALUES ('nobody')")),
      insert(db, 'b'),
    ]);
    expect(results).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await reading).toEqual([]);
    expect(await stored(db)).toEqual([]);
    await insert(db, 'c');
    expect(await stored(db)).toEqual(['c']);
  });

  it('are all refused when the disk is full, and those after them work', async () => {
    const { db } = await fresh('full');
    const results = await settled([
      insert(db, 'a'),
      db.transaction(async (tx) => {
        await tx.get('PRAGMA max_page_count = 1');
        await tx.run('INSERT INTO table_sets VALUES (?)', ['x'.repeat(100_000)]);
      }),
    ]);
    expect(results).toEqual(['rejected', 'rejected']);
    await db.read((reader) => reader.get('PRAGMA max_page_count = 1000000'));
    await insert(db, 'b');
    expect(await stored(db)).toEqual(['b']);
  });

  it('leave a reader what is committed alone', async () => {
    const { db } = await fresh('reader');
    let reading: Promise<readonly string[]> | undefined;
    const writing = db.transaction(async (tx) => {
      await tx.run("INSERT INTO table_sets VALUES ('a')");
      reading = stored(db);
      throw new RangeError('no');
    });
    await expect(writing).rejects.toThrow(RangeError);
    expect(await reading).toEqual([]);
  });
});

describe('the version of the settings', () => {
  const set = (db: Database, value: string) =>
    db.transaction((tx) =>
      tx.run('INSERT INTO settings VALUES (?) ON CONFLICT DO NOTHING', [value]),
    );

  async function withSettings(db: Database): Promise<Database> {
    await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT PRIMARY KEY)'));
    await db.transaction((tx) => tx.run('CREATE TABLE settings (v TEXT PRIMARY KEY)'));
    opened.push(db);
    return db;
  }

  it.each([
    ['in memory', undefined],
    ['in a file', 'own-settings'],
  ])('changes with a commit that wrote one, %s', async (_where, name) => {
    const db = await withSettings(await openDatabase(name === undefined ? {} : { file: at(name) }));
    const first = db.settingsVersion();
    expect(first).toBeTypeOf('number');
    await insert(db, 'a');
    await db.read((reader) => reader.all('SELECT * FROM settings'));
    expect(db.settingsVersion()).toBe(first);
    const undone = db.transaction(async (tx) => {
      await tx.run("INSERT INTO settings VALUES ('x')");
      throw new RangeError('no');
    });
    await expect(undone).rejects.toThrow(RangeError);
    expect(db.settingsVersion()).toBe(first);
    await set(db, 'y');
    expect(db.settingsVersion()).not.toBe(first);
  });

  it('changes when another process has committed', async () => {
    const file = at('shared-settings');
    const [one, two] = [
      await withSettings(await openDatabase({ file })),
      await openDatabase({ file }),
    ];
    opened.push(two);
    for (const value of ['x', 'y', 'z']) {
      const [before, own] = [two.settingsVersion(), one.settingsVersion()];
      await set(one, value);
      expect(two.settingsVersion()).not.toBe(before);
      expect(one.settingsVersion()).not.toBe(own);
    }
  });

  it('is unknown once the database is closed', async () => {
    const db = await withSettings(await openDatabase({ file: at('closed-settings') }));
    await db.close();
    expect(db.settingsVersion()).toBeUndefined();
  });
});
