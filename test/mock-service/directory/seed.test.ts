import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/mock/index.ts';
import { resetDirectory } from '../../../src/mock-service/directory/index.ts';
import { Directory } from './support.ts';

let folder: string;
const open: Database[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
});
afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
  rmSync(folder, { recursive: true });
});

/** Another process on the same file. */
async function onFile(): Promise<Directory> {
  const db = await openDatabase({ file: join(folder, 'service.db') });
  open.push(db);
  return Directory.start({ db });
}

describe('the directory of a database', () => {
  it('is filled once: what was changed stays changed over a restart, the count too', async () => {
    const before = await onFile();
    await before.services();
    await before.write('DELETE FROM directory_services WHERE service_id <> 223');
    await open.pop()?.close();

    const { data, meta } = await (await onFile()).services();
    expect(data.map(({ service_id }) => service_id)).toEqual([223]);
    expect(meta.requests).toBe(2);
  });

  it('is filled once by processes that start in the same moment, and counted in common', async () => {
    const replicas = await Promise.all([onFile(), onFile(), onFile()]);
    for (const [at, replica] of replicas.entries()) {
      const { data, meta } = await replica.services();
      expect(data).toHaveLength(7);
      expect(meta.requests).toBe(at + 1);
    }
  });

  it('is as published again after a reset', async () => {
    const directory = await Directory.start();
    const { data: published } = await directory.services();
    await directory.write('DELETE FROM directory_services');
    await directory.write("UPDATE directory_methods SET method_url = '/x.{format}'");
    await directory.db.transaction((tx) => resetDirectory(tx, undefined));
    const { data, meta } = await directory.services();
    expect(data).toEqual(published);
    expect(meta.requests).toBe(1);
  });

  it('is as published again after a reset by the controls', async () => {
    const directory = await Directory.start();
    await directory.write('DELETE FROM directory_services');
    await directory.h.service.controls.reset();
    expect((await directory.services()).data).toHaveLength(7);
  });
});
