import { describe, expect, it } from 'vitest';
import { LibsqlDatabase } from '../../../src/mock/store/database-libsql.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, postgresStores } from '../../support/stores.ts';
import { itIsAStore, itIsShared } from './contract.ts';
import { useFolder } from './folder.ts';

describe('a store in a file', () => itIsAStore(fileStores()));

describeWithDatabases('a store in PostgreSQL', (server) => {
  itIsAStore(postgresStores(server));
  itIsShared(postgresStores(server));
});

describe('a store in memory', () => {
  it('is empty each time', async () => {
    for (let round = 0; round < 2; round += 1) {
      const db = await openDatabase();
      await db.transaction((tx) => tx.run('CREATE TABLE t (a TEXT)'));
      await db.close();
    }
  });

  it('keeps a value in a column without a type', async () => {
    const db = await openDatabase();
    await db.transaction((tx) => tx.run('CREATE TABLE u (v)'));
    await db.transaction((tx) => tx.run('INSERT INTO u VALUES (?), (?)', ['x', 1]));
    expect(await db.read((reader) => reader.all('SELECT v FROM u'))).toEqual([
      { v: 'x' },
      { v: 1 },
    ]);
    await db.close();
  });
});

describe('a store', () => {
  const at = useFolder();

  it('has a file or a URL, not both', async () => {
    const both = openDatabase({ file: at('x.db'), address: 'postgres://127.0.0.1/x' });
    await expect(both).rejects.toThrow(TypeError);
  });

  it('says what to type where npm left the compiled part of libsql out', async () => {
    const missing = Object.assign(new Error("Cannot find module '@libsql/linux-x64-gnu'"), {
      code: 'MODULE_NOT_FOUND',
    });
    const opening = LibsqlDatabase.open({
      file: undefined,
      loadDriver: () => Promise.reject(missing),
    });
    await expect(opening).rejects.toMatchObject({
      code: 'no_sqlite',
      message: expect.stringContaining('npm install --include=optional'),
      cause: missing,
    });
  });
});
