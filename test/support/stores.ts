import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Database } from '../../src/mock/store/database.ts';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import type { PostgresServer } from './postgres.ts';

/** Opens a store as one more process does, if it can be shared; the tests close it. */
export type Open = (busyTimeout?: number) => Promise<Database>;

/** Makes an empty store. */
export type NewStore = () => Promise<Open>;

/** For a lock of PostgreSQL: replicas that race must not give up because the machine is busy. Milliseconds. */
const PATIENCE = 30_000;

/** Each store a file of its own, which is open once: whoever opens it again has the same until it is closed. */
export function fileStores(): NewStore {
  const opened = useClosing();
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
    folders.push(folder);
    const file = join(folder, 'store.db');
    // A file with other tables in it is refused, so this one says that it is ours.
    const first = await openDatabase({ file });
    await first.transaction((tx) =>
      tx.run('CREATE TABLE table_sets (name TEXT PRIMARY KEY, form TEXT NOT NULL)'),
    );
    await first.close();
    let current: Promise<Database> | undefined;
    const open = async () => {
      const db = opened(await openDatabase({ file }));
      const close = db.close.bind(db);
      db.close = () => {
        current = undefined;
        return close();
      };
      return db;
    };
    return () => {
      current ??= open();
      return current;
    };
  };
}

/** Each store a database of its own, made for a language whose order of text is not that of bytes. */
export function postgresStores(server: PostgresServer): NewStore {
  const opened = useClosing();
  return async () => {
    const language = `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'`;
    const url = await server.newDatabase(language);
    return async (busyTimeout = PATIENCE) =>
      opened(await openDatabase({ address: url, busyTimeout }));
  };
}

/** Closed before what was registered earlier is cleaned up. */
function useClosing(): (db: Database) => Database {
  const open: Database[] = [];
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
  });
  return (db) => {
    open.push(db);
    return db;
  };
}
