import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openCredentialFile } from '../../../src/agent/credentials/credential-file.ts';
import { inspectCredentialFile } from '../../../src/agent/credentials/inspect-credential-file.ts';
import { testFolder } from '../../support/test-folder.ts';
import { add } from './some-credentials.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = testFolder();
  folder = join(root, 'home', 'agent-auth');
});

const inspect = () => inspectCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });

it('describes a place where nothing is, and makes nothing there', async () => {
  expect(await inspect()).toEqual({
    folder,
    path: join(folder, 'credentials.json'),
    folderMode: null,
    fileMode: null,
    writable: true,
    lock: 'free',
  });
  expect(readdirSync(root)).toEqual([]);
});

it('tells the modes of what is there', async () => {
  await add(openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } }), 'reg_1');
  expect(await inspect()).toMatchObject({ folderMode: 0o700, fileMode: 0o600, writable: true });
  chmodSync(folder, 0o755);
  expect(await inspect()).toMatchObject({ folderMode: 0o755 });
});

it('tells a lock that is held from one that was left', async () => {
  const lock = join(folder, 'credentials.json.lock');
  mkdirSync(lock, { recursive: true });
  expect((await inspect()).lock).toBe('held');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect((await inspect()).lock).toBe('abandoned');
});

it('sees that a file is where the folder would have to be', async () => {
  writeFileSync(join(root, 'home'), '');
  expect((await inspect()).writable).toBe(false);
});
