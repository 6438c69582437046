import {
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase, StoreOpenError } from '../../../src/mock/index.ts';
import { toFileError } from '../../../src/mock/store/libsql-errors.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { FakeClock, MemoryLog, SeededRandom } from '../../../src/runtime/fake.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const PAGE = 4096;

/** A database of some thousand pages, more than are kept in memory; nothing waits in its log. */
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
  // What the driver closes stays in use until it is collected.
  const own = new Libsql(made);
  own.pragma('wal_checkpoint(TRUNCATE)');
  own.close();
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
    ['SQLITE_READONLY_DBMOVED', 'gone'],
  ])('has a sentence for what a statement meets: %s', (sqlite, code) => {
    const met = Object.assign(new Error('of the driver'), { code: sqlite });
    expect(toFileError(met, '/x.db')).toMatchObject({
      code,
      message: expect.stringContaining('/x.db'),
      cause: met,
    });
  });
});

describe('a database file that goes away in use', () => {
  it.each<[string, (file: string) => void]>([
    ['removed', (file) => rmSync(file)],
    [
      'replaced',
      (file) => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ])('was written on when it was %s: it takes no more', async (what, take) => {
    const file = at(`${what}.db`);
    const db = await filled(file);
    take(file);
    const error = await refusal(
      db.transaction((tx) => tx.run("INSERT INTO table_sets VALUES ('x')")),
    );
    expect([error.code, error.message]).toEqual(['gone', expect.stringContaining(file)]);
  });

  it('is 503 for every request, and one line of the log that names it', async () => {
    const file = at('service.db');
    const log = new MemoryLog();
    const clock = new FakeClock();
    const service = await createMockService({
      baseUrl: 'http://127.0.0.1:4800',
      clock,
      random: new SeededRandom(1),
      log,
      fetch: () => Promise.reject(new Error('Nobody is asked.')),
      db: await openDatabase({ file }),
    });
    rmSync(file);
    const response = await service.fetch(
      new Request('http://127.0.0.1:4800/agent/identity', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"type":"anonymous"}',
      }),
    );
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'http.store_failed',
        fields: { code: 'gone', message: expect.stringContaining(file) },
      }),
    );
  });
});
