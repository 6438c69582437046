import { closeSync, copyFileSync, openSync, truncateSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Database, StoreOpenError } from '../../../src/mock/store/database.ts';
import { toFileError } from '../../../src/mock/store/libsql-connection.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const PAGE = 4096;

/** A database of some thousand pages, more than are kept in memory. */
async function fill(file: string): Promise<void> {
  const made = `${file}.made`;
  const db = await openDatabase({ file: made });
  await db.transaction(async (tx) => {
    await tx.run('CREATE TABLE table_sets (id TEXT)');
    for (let row = 0; row < 600; row += 1) {
      await tx.run('INSERT INTO table_sets VALUES (?)', [`${row}`.padEnd(PAGE, 'x')]);
    }
  });
  await db.close();
  copyFileSync(made, file);
}

async function filled(file: string): Promise<Database> {
  await fill(file);
  return openDatabase({ file });
}

function overwrite(file: string, position: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

async function refusal(work: Promise<unknown>): Promise<StoreOpenError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreOpenError)) throw error ?? new Error('Nothing was refused.');
  return error;
}

const count = (db: Database) => db.read((reader) => reader.all('SELECT id FROM table_sets'));

describe('a damaged database file', () => {
  it.each<[string, (file: string) => void, string]>([
    ['zeroed pages', (file) => overwrite(file, 5 * PAGE, new Uint8Array(10 * PAGE)), 'damaged'],
    ['a zeroed first page', (file) => overwrite(file, 0, new Uint8Array(PAGE)), 'not_a_database'],
    ['a changed header', (file) => overwrite(file, 20, Buffer.from('XXXX')), 'not_a_database'],
    ['a lost end', (file) => truncateSync(file, 10 * PAGE), 'damaged'],
  ])('with %s was opened, or failed without a word: it is named', async (what, damage, code) => {
    const file = at(`${what.replaceAll(' ', '-')}.db`);
    await fill(file);
    damage(file);
    const error = await refusal(openDatabase({ file }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(file)]);
  });

  it('is noticed when it becomes shorter in use', async () => {
    const file = at('shorter.db');
    const db = await filled(file);
    truncateSync(file, 3 * PAGE);
    expect((await refusal(count(db))).code).toBe('damaged');
  });

  it.each([
    ['SQLITE_CORRUPT', 'damaged'],
    ['SQLITE_IOERR_SHORT_READ', 'damaged'],
    ['SQLITE_NOTADB', 'damaged'],
    ['SQLITE_FULL', 'no_space'],
    ['SQLITE_IOERR_WRITE', 'disk_failed'],
    ['SQLITE_READONLY', 'file_read_only'],
    ['SQLITE_BUSY', 'in_use'],
  ])('has a sentence for what a statement meets: %s', (sqlite, code) => {
    const met = Object.assign(new Error('of the driver'), { code: sqlite });
    expect(toFileError(met, '/x.db')).toMatchObject({
      code,
      message: expect.stringContaining('/x.db'),
      cause: met,
    });
  });
});
