import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { StoreOpenError } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { useFolder } from './folder.ts';

const at = useFolder();
const mode = (file: string) => statSync(file).mode & 0o777;

describe('the database file', () => {
  it('is made for its owner alone, and so is its log, whatever the umask', async () => {
    const db = await openDatabase({ file: at('fresh.db') });
    await db.transaction((tx) => tx.run('CREATE TABLE table_sets (id TEXT)'));
    const files = readdirSync(at('.')).filter((name) => name.startsWith('fresh.db'));
    expect(files.sort()).toEqual(['fresh.db', 'fresh.db-wal']);
    for (const name of files) expect(mode(at(name))).toBe(0o600);
    await db.close();
  });

  it('may be an empty file of one’s own', async () => {
    writeFileSync(at('empty.db'), '', { mode: 0o600 });
    await (await openDatabase({ file: at('empty.db') })).close();
  });

  it.each<[string, string, (file: string) => void, string]>([
    [
      'others can read',
      'not_private',
      (file) => writeFileSync(file, '', { mode: 0o644 }),
      'chmod 600',
    ],
    [
      'its group can write',
      'not_private',
      (file) => {
        writeFileSync(file, '');
        chmodSync(file, 0o620);
      },
      'chmod 600',
    ],
    ['is a folder', 'not_a_file', (file) => mkdirSync(file), 'name a file'],
    [
      'is a link to nowhere',
      'not_a_file',
      (file) => symlinkSync(at('nowhere'), file),
      'name a file',
    ],
    [
      'is no database',
      'not_a_database',
      (file) => {
        writeFileSync(file, 'just some text, as it happens\n'.repeat(100), { mode: 0o600 });
      },
      'another file',
    ],
    [
      'is short and no database',
      'not_a_database',
      (file) => {
        writeFileSync(file, 'x', { mode: 0o600 });
      },
      'another file',
    ],
    [
      'calls itself a database and is none',
      'not_a_database',
      (file) => {
        writeFileSync(file, `SQLite format 3\0${'garbage '.repeat(1000)}`, { mode: 0o600 });
      },
      'another file',
    ],
    [
      'is the database of another program',
      'foreign',
      (file) => {
        writeFileSync(file, '', { mode: 0o600 });
        const other = new Libsql(file);
        other.exec('CREATE TABLE recipes (id INTEGER)');
        other.close();
      },
      'another program',
    ],
  ])('is refused when it %s', async (what, code, make, advice) => {
    const file = at(`${what.replaceAll(' ', '-')}.db`);
    make(file);
    const error = await openDatabase({ file }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(file) });
    expect(String(error)).toContain(advice);
  });

  it('is refused with a companion that others can read', async () => {
    writeFileSync(at('leaky.db'), '', { mode: 0o600 });
    writeFileSync(at('leaky.db-wal'), 'x', { mode: 0o644 });
    await expect(openDatabase({ file: at('leaky.db') })).rejects.toMatchObject({
      code: 'not_private',
    });
  });

  it('is refused in a folder that is not there, or in a file', async () => {
    await expect(openDatabase({ file: at('missing/x.db') })).rejects.toMatchObject({
      code: 'not_found',
    });
    writeFileSync(at('plain'), '');
    await expect(openDatabase({ file: at('plain/x.db') })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is refused where nothing can be made', async () => {
    await expect(openDatabase({ file: '/proc/agent-auth.db' })).rejects.toThrow(StoreOpenError);
  });
});
