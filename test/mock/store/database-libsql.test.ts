import { afterEach, describe, expect, it, vi } from 'vitest';
import { column, type Database, StoreOpenError } from '../../../src/mock/store/database.ts';
import { LibsqlDatabase } from '../../../src/mock/store/database-libsql.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

async function fresh(name?: string): Promise<Database> {
  const db = await openDatabase(name === undefined ? {} : { file: at(name) });
  opened.push(db);
  await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT PRIMARY KEY)'));
  return db;
}

const insert = (db: Database, id: string) =>
  db.transaction((tx) => tx.run('INSERT INTO table_sets VALUES (?)', [id]));

const settled = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status);

async function stored(db: Database): Promise<readonly string[]> {
  const rows = await db.read((reader) => reader.all('SELECT id FROM table_sets ORDER BY id'));
  return rows.map(({ id }) => column.text(id));
}

describe('a database file', () => {
  it('is for whoever opened it alone, until it is closed', async () => {
    const db = await fresh('alone.db');
    await insert(db, 'a');
    const second = await openDatabase({ file: at('alone.db') }).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(StoreOpenError);
    expect(second).toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('another process'),
    });
    await insert(db, 'b');
    await db.close();
    const next = await openDatabase({ file: at('alone.db') });
    opened.push(next);
    expect(await stored(next)).toEqual(['a', 'b']);
  });
});

it('showed a reader what a bad disk had not undone, and it is not added to', async () => {
  let isBad = false;
  const { default: Driver } = await import('libsql');
  class BadDisk extends Driver {
    override exec(sql: string) {
      if (isBad && sql === 'ROLLBACK')
        throw Object.assign(new Error('bad'), { code: 'SQLITE_IOERR' });
      return super.exec(sql);
    }
  }
  const loadDriver = async () => ({ default: BadDisk as unknown as typeof Driver });
  const db = await LibsqlDatabase.open({ file: undefined, loadDriver });
  opened.push(db);
  await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT PRIMARY KEY)'));
  isBad = true;
  const failing = db.transaction(async (tx) => {
    await tx.run("INSERT INTO table_sets VALUES ('a')");
    throw new RangeError('no');
  });
  await expect(failing).rejects.toThrow(RangeError);
  await expect(stored(db)).rejects.toMatchObject({ code: 'disk_failed' });
  await expect(insert(db, 'b')).rejects.toMatchObject({ code: 'disk_failed' });
  isBad = false;
  expect(await stored(db)).toEqual([]);
});

describe.each([
  ['in memory', undefined],
  ['in a file', 'file.db'],
])('transactions of one turn, %s', (_where, name) => {
  const open = (title: string) => fresh(name && `${title}-${name}`);

  it('are kept but for those that fail after a change, and each runs once', async () => {
    const db = await open('failing');
    const names = ['a', 'b', 'c', 'd'];
    const runs: string[] = [];
    const results = await settled(
      names.map((id) =>
        db.transaction(async (tx) => {
          runs.push(id);
          await tx.run('INSERT INTO table_sets VALUES (?)', [id]);
          if (id === 'b') throw new RangeError('no');
        }),
      ),
    );
    expect(results).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(runs).toEqual(names);
    expect(await stored(db)).toEqual(['a', 'c', 'd']);
  });

  it('are committed while a test holds all timers', async () => {
    vi.useFakeTimers();
    try {
      const db = await open('timers');
      await insert(db, 'a');
      expect(await stored(db)).toEqual(['a']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leave the others alone when the commit of one fails', async () => {
    const db = await open('refused');
    await db.transaction((tx) =>
      tx.run('CREATE TABLE t (a TEXT REFERENCES table_sets DEFERRABLE INITIALLY DEFERRED)'),
    );
    const results = await settled([
      insert(db, 'a'),
      db.transaction((tx) => tx.run("INSERT INTO t VALUES ('nobody')")),
      insert(db, 'b'),
    ]);
    expect(results).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored(db)).toEqual(['a', 'b']);
  });

  it('leave the others alone when the disk is full for one, which is undone', async () => {
    const db = await open('full');
    const results = await settled([
      insert(db, 'a'),
      db.transaction(async (tx) => {
        await tx.get('PRAGMA max_page_count = 1');
        await tx.run('INSERT INTO table_sets VALUES (?)', ['x'.repeat(100_000)]);
      }),
    ]);
    expect(results).toEqual(['fulfilled', 'rejected']);
    await db.read((reader) => reader.get('PRAGMA max_page_count = 1000000'));
    await insert(db, 'b');
    expect(await stored(db)).toEqual(['a', 'b']);
  });
});
