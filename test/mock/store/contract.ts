import { expect, it } from 'vitest';
import {
  column,
  type Database,
  type Row,
  StoreBusyError,
  type Transaction,
  type Value,
} from '../../../src/mock/store/database.ts';
import type { NewStore } from '../../support/stores.ts';

const insert = (tx: Transaction, ...row: Value[]) => tx.run('INSERT INTO t VALUES (?, ?)', row);

async function count(db: Database): Promise<number> {
  const row = await db.transaction((tx) => tx.get('SELECT COUNT(*) AS n FROM t'));
  return column.number(row?.['n']);
}

/** What every store does, whatever keeps it. */
export function itIsAStore(newStore: NewStore): void {
  async function fresh(): Promise<Database> {
    const db = await (await newStore())();
    await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
    return db;
  }

  it('gets a row by name, all rows, and how many it changed', async () => {
    const db = await fresh();
    await db.transaction(async (tx) => {
      expect(await insert(tx, 'x', 1)).toBe(1);
      expect(await insert(tx, 'y', null)).toBe(1);
      const one = await tx.get('SELECT * FROM t WHERE a = ?', ['x']);
      expect(Object.keys(one ?? {})).toEqual(['a', 'n']);
      expect(column.number(one?.['n'])).toBe(1);
      expect(await tx.get('SELECT * FROM t WHERE a = ?', ['z'])).toBeUndefined();
      const all = await tx.all('SELECT n, a FROM t ORDER BY a');
      expect(all.map(({ a, n }) => [a, column.optionalNumber(n)])).toEqual([
        ['x', 1],
        ['y', undefined],
      ]);
      expect(all[1]).toEqual({ n: null, a: 'y' });
      expect(await tx.run('UPDATE t SET n = 5')).toBe(2);
      expect(await tx.run('DELETE FROM t WHERE a = ?', ['z'])).toBe(0);
    });
  });

  it('shows a reader nothing of a change that is undone', async () => {
    const db = await fresh();
    let during: Promise<readonly Row[]> | undefined;
    const change = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      during = db.read((reader) => reader.all('SELECT a FROM t'));
      await tx.all('SELECT a FROM t');
      throw new Error('undone');
    });
    await expect(change).rejects.toThrow('undone');
    expect(await during).toEqual([]);
  });

  it.each<[string, number]>([
    ['an instant', 1_799_999_999_999],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['a negative number', -1],
  ])('keeps %s as it is', async (_what, value) => {
    const db = await fresh();
    await db.transaction((tx) => insert(tx, 'x', value));
    const row = await db.read((reader) => reader.get('SELECT n FROM t WHERE n = ?', [value]));
    expect(column.number(row?.['n'])).toBe(value);
  });

  it.each<[string, string]>([
    ['an empty text', ''],
    ['text beyond ASCII', 'é 漢字 🜂'],
    ['SQL', `'); DROP TABLE t; --`],
    ['what looks like a placeholder', '$1 ?'],
  ])('keeps %s as it is', async (_what, value) => {
    const db = await fresh();
    await db.transaction((tx) => insert(tx, value, 1));
    const row = await db.read((reader) => reader.get('SELECT a FROM t WHERE a = ?', [value]));
    expect(row).toEqual({ a: value });
  });

  it('hands small integers over as numbers', async () => {
    const db = await fresh();
    await db.transaction((tx) => tx.run('CREATE TABLE u (i INTEGER)'));
    await db.transaction((tx) => tx.run('INSERT INTO u VALUES (?)', [7]));
    expect(await db.read((reader) => reader.get('SELECT i FROM u'))).toEqual({ i: 7 });
  });

  it('orders text by its bytes', async () => {
    const db = await fresh();
    await db.transaction(async (tx) => {
      for (const a of ['b', 'B', 'a', 'Ä', '_', 'a b', 'ab', 'Z', '🜂', '\uffee']) {
        await insert(tx, a, 1);
      }
      await tx.run('ALTER TABLE t ADD COLUMN extra TEXT');
      await tx.run('UPDATE t SET extra = a');
    });
    const inOrder = ['B', 'Z', '_', 'a', 'a b', 'ab', 'b', 'Ä', '\uffee', '🜂'];
    for (const name of ['a', 'extra']) {
      const rows = await db.read((reader) => reader.all(`SELECT a FROM t ORDER BY ${name}`));
      expect(rows.map(({ a }) => a)).toEqual(inOrder);
    }
  });

  it('undoes a transaction whole when its work fails', async () => {
    const db = await fresh();
    const failing = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await count(db)).toBe(0);
  });

  it('undoes a transaction whole when a statement fails, and the next one works', async () => {
    const db = await fresh();
    const failing = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      await insert(tx, 'x', 2);
    });
    await expect(failing).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:SQLITE_CONSTRAINT_PRIMARYKEY|23505)$/),
    });
    await db.transaction((tx) => insert(tx, 'x', 3));
    expect(await count(db)).toBe(1);
  });

  it('committed on SQLite what came before a failed statement whose error was caught', async () => {
    const db = await fresh();
    const caught = { code: expect.stringMatching(/^(?:SQLITE_CONSTRAINT_PRIMARYKEY|23505)$/) };
    const going = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      await expect(insert(tx, 'x', 2)).rejects.toMatchObject(caught);
    });
    await expect(going).rejects.toMatchObject(caught);
    expect(await count(db)).toBe(0);
    const unread = db.read((reader) => reader.get('SELECT a FROM nowhere').catch(() => undefined));
    await expect(unread).rejects.toThrow('nowhere');
  });

  it('runs writers of one row one after another', async () => {
    const db = await fresh();
    await db.transaction((tx) => insert(tx, 'x', 0));
    await Promise.all(Array.from({ length: 50 }, () => increment(db)));
    expect(await storedNumber(db)).toBe(50);
  });

  it('takes statements that are asked for at once', async () => {
    const db = await fresh();
    const rows = await db.transaction(async (tx) => {
      await Promise.all(['x', 'y', 'z'].map((a) => insert(tx, a, 1)));
      return Promise.all(['x', 'z'].map((a) => tx.get('SELECT a FROM t WHERE a = ?', [a])));
    });
    expect(rows).toEqual([{ a: 'x' }, { a: 'z' }]);
  });

  it('lets nobody use a transaction that is over', async () => {
    const db = await fresh();
    let kept: Transaction | undefined;
    await db.transaction(async (tx) => {
      kept = tx;
    });
    await expect(kept?.get('SELECT 1')).rejects.toThrow('The transaction has ended.');
    const failing = db.transaction(async (tx) => {
      kept = tx;
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await expect(kept?.run('DELETE FROM t')).rejects.toThrow('The transaction has ended.');
  });

  it.each<[string, readonly unknown[]]>([
    ['too few', ['x']],
    ['too many', ['x', 1, 2]],
    ['a boolean, on which a driver would abort the process', ['x', true]],
    ['undefined', ['x', undefined]],
    ['an object', ['x', {}]],
    ['a bigint', ['x', 1n]],
    ['NaN', ['x', Number.NaN]],
    ['infinity', ['x', Number.POSITIVE_INFINITY]],
    ['a fraction', ['x', 1.5]],
    ['an unsafe integer', ['x', 2 ** 53]],
    ['text with U+0000, which would be cut', ['a\0b', 1]],
    ['an unpaired surrogate, which would collide', ['\ud800', 1]],
  ])('refuses parameters with %s', async (_what, params) => {
    const db = await fresh();
    const running = db.transaction((tx) =>
      tx.run('INSERT INTO t VALUES (?, ?)', params as readonly Value[]),
    );
    await expect(running).rejects.toThrow(TypeError);
    expect(await count(db)).toBe(0);
  });

  it('does not take a question mark in quotes for a parameter', async () => {
    const db = await fresh();
    const row = await db.transaction((tx) =>
      tx.get(`SELECT 'a ? ''?' AS "b?", ? AS c -- why?`, ['x']),
    );
    expect(row).toEqual({ 'b?': "a ? '?", c: 'x' });
  });

  it('sees a column that was added after its statement was first used', async () => {
    const db = await fresh();
    await db.transaction((tx) => insert(tx, 'x', 1));
    await db.transaction((tx) => tx.get('SELECT * FROM t'));
    await db.transaction((tx) => tx.run('ALTER TABLE t ADD COLUMN extra TEXT'));
    const row = await db.transaction((tx) => tx.get('SELECT * FROM t'));
    expect(Object.keys(row ?? {})).toEqual(['a', 'n', 'extra']);
    expect(row?.['extra']).toBeNull();
  });

  it('waits when it is closed for what is under way, and refuses what comes after', async () => {
    const db = await fresh();
    const last = db.transaction((tx) => insert(tx, 'x', 1));
    await db.close();
    expect(await last).toBe(1);
    await expect(db.transaction(async () => 1)).rejects.toThrow('The database is closed.');
    await expect(db.read(async () => 1)).rejects.toThrow('The database is closed.');
    await db.close();
  });
}

/** What a store does that several processes write to. */
export function itIsShared(newStore: NewStore): void {
  it('runs the writers of one row in several processes one after another', async () => {
    const open = await newStore();
    const processes = [await open(), await open(), await open()];
    const [first] = processes;
    if (first === undefined) throw new Error('nothing is open');
    await first.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
    await first.transaction((tx) => insert(tx, 'x', 0));
    await Promise.all(Array.from({ length: 30 }, (_, at) => increment(processes[at % 3] ?? first)));
    expect(await storedNumber(first)).toBe(30);
  });

  it('says busy when another process holds it for too long, and goes on after it', async () => {
    const open = await newStore();
    const [one, two] = [await open(), await open(1)];
    await one.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
    await one.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      await expect(two.transaction((tx) => insert(tx, 'x', 2))).rejects.toThrow(StoreBusyError);
    });
    expect(await count(two)).toBe(1);
  });

  it('reads one state of the data, while another process writes', async () => {
    const open = await newStore();
    const [reading, writing] = [await open(), await open()];
    await writing.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
    await writing.transaction((tx) => insert(tx, 'x', 1));
    await reading.read(async (reader) => {
      const before = await reader.all('SELECT a FROM t');
      await writing.transaction((tx) => insert(tx, 'y', 1));
      expect(await reader.all('SELECT a FROM t')).toEqual(before);
    });
    expect(await count(reading)).toBe(2);
  });

  it('sees at once what was committed before', async () => {
    const open = await newStore();
    const [one, two] = [await open(), await open()];
    await one.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
    for (let at = 1; at <= 20; at += 1) {
      await one.transaction((tx) => insert(tx, `row ${at}`, at));
      expect(await two.read((reader) => reader.all('SELECT a FROM t'))).toHaveLength(at);
    }
  });
}

async function increment(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx.get('SELECT n FROM t WHERE a = ?', ['x']);
    await Promise.resolve();
    await tx.run('UPDATE t SET n = ? WHERE a = ?', [column.number(row?.['n']) + 1, 'x']);
  });
}

async function storedNumber(db: Database): Promise<number> {
  const row = await db.read((reader) => reader.get('SELECT n FROM t'));
  return column.number(row?.['n']);
}
