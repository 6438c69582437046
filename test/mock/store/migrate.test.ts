import { describe, expect, it } from 'vitest';
import { type Migration, migrate, StoreOpenError } from '../../../src/mock/index.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../../support/stores.ts';

const FIRST: Migration = {
  id: 'test-1',
  statements: ['CREATE TABLE a (x TEXT)', `INSERT INTO a VALUES ('1')`],
};
const SECOND: Migration = { id: 'test-2', statements: ['ALTER TABLE a ADD COLUMN y TEXT'] };

describe('migrating a file', () => itMigrates(fileStores(), 1));
describeWithPostgres('migrating a PostgreSQL database', (server) => {
  itMigrates(postgresStores(server));
});

function itMigrates(newStore: NewStore, busyTimeout?: number): void {
  it('applies each migration once, in order, and the shared tables with them', async () => {
    const db = await (await newStore())();
    await migrate(db, [FIRST]);
    await migrate(db, [FIRST, SECOND]);
    await migrate(db, [FIRST, SECOND]);
    const rows = await db.transaction((tx) => tx.all('SELECT * FROM a'));
    expect(rows).toEqual([{ x: '1', y: null }]);
    const ids = await db.transaction((tx) => tx.all('SELECT id FROM migrations ORDER BY id'));
    expect(ids.map(({ id }) => id)).toEqual(['mock-1', 'mock-2', 'mock-3', 'test-1', 'test-2']);
    await db.transaction((tx) => tx.all('SELECT owner FROM signing_keys'));
  });

  it('lets two families live in one database', async () => {
    const db = await (await newStore())();
    await migrate(db, [FIRST]);
    await migrate(db, [{ id: 'other-1', statements: ['CREATE TABLE b (x TEXT)'] }]);
    await expect(migrate(db, [FIRST])).resolves.toBeUndefined();
  });

  it('refuses a database that a newer version has written', async () => {
    const db = await (await newStore())();
    await migrate(db, [FIRST, SECOND]);
    const error = await migrate(db, [FIRST]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error).toMatchObject({ code: 'newer', message: expect.stringContaining('update') });
  });

  it('leaves nothing behind when a migration fails', async () => {
    const db = await (await newStore())();
    const broken: Migration = { id: 'test-1', statements: ['CREATE TABLE a (x TEXT)', 'NONSENSE'] };
    await expect(migrate(db, [broken])).rejects.toThrow();
    await migrate(db, [FIRST]);
    expect(await db.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([{ x: '1' }]);
  });

  it('applies each once when several processes start at the same moment', async () => {
    const open = await newStore();
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(busyTimeout)));
    await Promise.all(opened.map((db) => migrate(db, [FIRST, SECOND])));
    const [db] = opened;
    expect(await db?.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([{ x: '1' }]);
  });
}
