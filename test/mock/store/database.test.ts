import { describe, expect, it } from 'vitest';
import {
  type Database,
  openDatabase,
  StoreBusyError,
  type Transaction,
  type Value,
} from '../../../src/mock/index.ts';
import { useFolder } from './folder.ts';

const at = useFolder();

async function memory(): Promise<Database> {
  const db = await openDatabase();
  await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT PRIMARY KEY, n BIGINT)'));
  return db;
}

const insert = (tx: Transaction, ...row: Value[]) => tx.run('INSERT INTO t VALUES (?, ?)', row);
const count = async (db: Database) =>
  Number((await db.transaction((tx) => tx.get('SELECT COUNT(*) AS n FROM t')))?.['n']);

describe('a transaction', () => {
  it('gets a row by name, all rows, and how many it changed', async () => {
    const db = await memory();
    await db.transaction(async (tx) => {
      expect(await insert(tx, 'x', 1)).toBe(1);
      expect(await insert(tx, 'y', null)).toBe(1);
      expect(await tx.get('SELECT * FROM t WHERE a = ?', ['x'])).toEqual({ a: 'x', n: 1 });
      expect(await tx.get('SELECT * FROM t WHERE a = ?', ['z'])).toBeUndefined();
      expect(await tx.all('SELECT n, a FROM t ORDER BY a')).toEqual([
        { n: 1, a: 'x' },
        { n: null, a: 'y' },
      ]);
      expect(await tx.run('UPDATE t SET n = 5')).toBe(2);
      expect(await tx.run('DELETE FROM t WHERE a = ?', ['z'])).toBe(0);
    });
  });

  it.each<[string, Value]>([
    ['an instant', 1_799_999_999_999],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['a negative number', -1],
    ['an empty text', ''],
    ['text beyond ASCII', 'é 漢字 🜂'],
    ['SQL', `'); DROP TABLE t; --`],
  ])('keeps %s as it is', async (_what, value) => {
    const db = await memory();
    await db.transaction((tx) => tx.run('CREATE TABLE u (v)'));
    await db.transaction((tx) => tx.run('INSERT INTO u VALUES (?)', [value]));
    expect(await db.transaction((tx) => tx.get('SELECT v FROM u'))).toEqual({ v: value });
  });

  it('is undone whole when its work fails', async () => {
    const db = await memory();
    const failing = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await count(db)).toBe(0);
  });

  it('is undone whole when a statement fails, and the next one works', async () => {
    const db = await memory();
    const failing = db.transaction(async (tx) => {
      await insert(tx, 'x', 1);
      await insert(tx, 'x', 2);
    });
    await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    await db.transaction((tx) => insert(tx, 'x', 3));
    expect(await count(db)).toBe(1);
  });

  it('waits for the one before it', async () => {
    const db = await memory();
    await db.transaction((tx) => insert(tx, 'x', 0));
    const increment = () =>
      db.transaction(async (tx) => {
        const row = await tx.get('SELECT n FROM t WHERE a = ?', ['x']);
        await Promise.resolve();
        await tx.run('UPDATE t SET n = ? WHERE a = ?', [Number(row?.['n']) + 1, 'x']);
      });
    await Promise.all(Array.from({ length: 50 }, increment));
    const row = await db.transaction((tx) => tx.get('SELECT n FROM t'));
    expect(row).toEqual({ n: 50 });
  });

  it('is of no use once it is over', async () => {
    const db = await memory();
    let kept: Transaction | undefined;
    await db.transaction(async (tx) => {
      kept = tx;
    });
    await expect(kept?.get('SELECT 1')).rejects.toThrow('The transaction is over.');
  });

  it.each<[string, readonly unknown[]]>([
    ['too few', ['x']],
    ['too many', ['x', 1, 2]],
    ['a boolean, on which the driver would abort the process', ['x', true]],
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
    const db = await memory();
    const running = db.transaction((tx) =>
      tx.run('INSERT INTO t VALUES (?, ?)', params as readonly Value[]),
    );
    await expect(running).rejects.toThrow(TypeError);
    expect(await count(db)).toBe(0);
  });

  it('does not take a question mark in quotes for a parameter', async () => {
    const db = await memory();
    const row = await db.transaction((tx) =>
      tx.get(`SELECT 'a ? ''?' AS "b?", ? AS c -- why?`, ['x']),
    );
    expect(row).toEqual({ 'b?': "a ? '?", c: 'x' });
  });

  it('sees a column that was added after its statement was first used', async () => {
    const db = await memory();
    await db.transaction((tx) => insert(tx, 'x', 1));
    await db.transaction((tx) => tx.get('SELECT * FROM t'));
    await db.transaction((tx) => tx.run('ALTER TABLE t ADD COLUMN extra TEXT'));
    const row = await db.transaction((tx) => tx.get('SELECT * FROM t'));
    expect(row).toEqual({ a: 'x', n: 1, extra: null });
  });
});

describe('closing', () => {
  it('waits for what is under way and refuses what comes after', async () => {
    const db = await memory();
    const last = db.transaction((tx) => insert(tx, 'x', 1));
    await db.close();
    expect(await last).toBe(1);
    await expect(db.transaction(async () => 1)).rejects.toThrow('The database is closed.');
    await db.close();
  });
});

describe('a file', () => {
  it('keeps what is stored, for the next process too', async () => {
    const file = at('kept.db');
    const first = await openDatabase({ file });
    await first.transaction((tx) => tx.run('CREATE TABLE migrations (id TEXT)'));
    await first.transaction((tx) => tx.run('INSERT INTO migrations VALUES (?)', ['x']));
    await first.close();
    const second = await openDatabase({ file });
    const row = await second.transaction((tx) => tx.get('SELECT id FROM migrations'));
    expect(row).toEqual({ id: 'x' });
    await second.close();
  });

  it('shared by two processes loses no update, and says busy when it must', async () => {
    const file = at('shared.db');
    const one = await openDatabase({ file, busyTimeout: 1 });
    await one.transaction((tx) => tx.run('CREATE TABLE migrations (id TEXT)'));
    const two = await openDatabase({ file, busyTimeout: 1 });
    await one.transaction(async (tx) => {
      await tx.run('INSERT INTO migrations VALUES (?)', ['one']);
      await expect(two.transaction(async () => 1)).rejects.toThrow(StoreBusyError);
    });
    const seen = await two.transaction((tx) => tx.all('SELECT id FROM migrations'));
    expect(seen).toEqual([{ id: 'one' }]);
    await Promise.all([one.close(), two.close()]);
  });
});
