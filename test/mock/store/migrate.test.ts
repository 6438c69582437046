import { describe, expect, it } from 'vitest';
import { type Migration, migrate, openDatabase, StoreOpenError } from '../../../src/mock/index.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const FIRST: Migration = {
  id: 'test-1',
  statements: ['CREATE TABLE a (x TEXT)', `INSERT INTO a VALUES ('1')`],
};
const SECOND: Migration = { id: 'test-2', statements: ['ALTER TABLE a ADD COLUMN y TEXT'] };

describe('migrating', () => {
  it('applies each migration once, in order, and the shared tables with them', async () => {
    const db = await openDatabase();
    await migrate(db, [FIRST]);
    await migrate(db, [FIRST, SECOND]);
    await migrate(db, [FIRST, SECOND]);
    const rows = await db.transaction((tx) => tx.all('SELECT * FROM a'));
    expect(rows).toEqual([{ x: '1', y: null }]);
    const ids = await db.transaction((tx) => tx.all('SELECT id FROM migrations ORDER BY id'));
    expect(ids.map(({ id }) => id)).toEqual(['mock-1', 'mock-2', 'test-1', 'test-2']);
    await db.transaction((tx) => tx.all('SELECT owner FROM signing_keys'));
  });

  it('lets two families live in one database', async () => {
    const db = await openDatabase();
    await migrate(db, [FIRST]);
    await migrate(db, [{ id: 'other-1', statements: ['CREATE TABLE b (x TEXT)'] }]);
    await expect(migrate(db, [FIRST])).resolves.toBeUndefined();
  });

  it('refuses a database that a newer version has written', async () => {
    const db = await openDatabase();
    await migrate(db, [FIRST, SECOND]);
    const error = await migrate(db, [FIRST]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error).toMatchObject({ code: 'newer', message: expect.stringContaining('update') });
  });

  it('leaves nothing behind when a migration fails', async () => {
    const db = await openDatabase();
    const broken: Migration = { id: 'test-1', statements: ['CREATE TABLE a (x TEXT)', 'NONSENSE'] };
    await expect(migrate(db, [broken])).rejects.toThrow();
    await migrate(db, [FIRST]);
    expect(await db.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([{ x: '1' }]);
  });

  it('applies each once when several processes start at the same moment', async () => {
    const file = at('race.db');
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ file, busyTimeout: 1 })),
    );
    await Promise.all(opened.map((db) => migrate(db, [FIRST, SECOND])));
    const [db] = opened;
    expect(await db?.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([{ x: '1' }]);
    await Promise.all(opened.map((each) => each.close()));
  });
});
