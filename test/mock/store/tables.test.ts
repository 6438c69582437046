import { describe, expect, it } from 'vitest';
import { StoreOpenError } from '../../../src/mock/store/database.ts';
import { createTables, type TableSet } from '../../../src/mock/store/tables.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../../support/stores.ts';

const withColumns = (columns: string): TableSet => ({
  name: 'test',
  tables: [{ name: 'a', key: 'x', columns }],
});
const TABLES = withColumns('x TEXT');

describe('making the tables of a file', () => itMakesTables(fileStores()));
describeWithDatabases('making the tables of a PostgreSQL database', (server) => {
  itMakesTables(postgresStores(server));
});

function itMakesTables(newStore: NewStore): void {
  it('makes each set once, and the shared tables with it', async () => {
    const db = await (await newStore())();
    await createTables(db, [TABLES]);
    await db.transaction((tx) => tx.run("INSERT INTO a VALUES ('1')"));
    await createTables(db, [TABLES]);
    expect(await db.transaction((tx) => tx.all('SELECT * FROM a'))).toEqual([{ x: '1' }]);
    await db.transaction((tx) => tx.all('SELECT owner FROM signing_keys'));
  });

  it('lets two owners live in one database', async () => {
    const db = await (await newStore())();
    await createTables(db, [TABLES]);
    const other = { name: 'b', key: 'x', columns: 'x TEXT, y BIGINT', indexes: ['y'] };
    await createTables(db, [{ name: 'other', tables: [other] }]);
    await expect(createTables(db, [TABLES])).resolves.toBeUndefined();
  });

  it('refuses tables of another form, and knows the same ones indented otherwise', async () => {
    const db = await (await newStore())();
    await createTables(db, [TABLES]);
    await createTables(db, [withColumns('x\n  TEXT')]);
    const error = await createTables(db, [withColumns('x TEXT, y TEXT')]).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error).toMatchObject({ code: 'other_version' });
    expect(await db.transaction((tx) => tx.all('SELECT * FROM a'))).toEqual([]);
  });

  it('leaves nothing behind when a statement fails', async () => {
    const db = await (await newStore())();
    const nonsense = { name: 'b', key: 'z', columns: 'x TEXT' };
    const broken = { name: 'test', tables: [...TABLES.tables, nonsense] };
    await expect(createTables(db, [broken])).rejects.toThrow();
    await createTables(db, [TABLES]);
    expect(await db.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([]);
  });

  it('makes each once when several processes start at the same moment', async () => {
    const open = await newStore();
    const opened = await Promise.all(Array.from({ length: 4 }, () => open()));
    await Promise.all(opened.map((db) => createTables(db, [TABLES])));
    const [db] = opened;
    expect(await db?.transaction((tx) => tx.all('SELECT x FROM a'))).toEqual([]);
  });
}
