import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemSleep } from '../../../src/runtime/system.ts';
import { createSystemForward } from '../../../src/runtime/system-forward.ts';
import { testFolder } from '../../support/test-folder.ts';
import { type Machine, newMachine, runCli } from '../support/run-cli.ts';
import { serving } from '../support/serving.ts';

let folder: string;
let machine: Machine;

beforeEach(() => {
  folder = testFolder();
  machine = {
    ...newMachine(),
    forward: createSystemForward(),
    onSleep: () => systemSleep(5),
  };
});

const proxying = (file: string, during: () => void) =>
  serving(
    machine,
    ['proxy', '--to', 'http://127.0.0.1:1', '--port', '0', '--json', '--transcript', file],
    { XDG_RUNTIME_DIR: folder },
    async () => during(),
  );

describe('the transcript of the proxy', () => {
  it('is written at the end, for this user alone', async () => {
    const file = join(folder, 'run.json');
    const { code, json } = await proxying(file, () => expect(existsSync(file)).toBe(false));
    expect(code).toBe(0);
    expect(json().at(-1)).toMatchObject({ event: 'summary', transcript: file });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ exchanges: [] });
  });

  it.each([
    ['a folder', '.', 'it is a folder'],
    ['a missing folder', 'none/run.json', 'its folder does not exist'],
    ['a file as a folder', 'file/run.json', 'its folder does not exist'],
    ['the name of a folder to come', 'new/', 'it is a folder'],
  ])('is refused at the start where it is %s', async (_what, path, why) => {
    writeFileSync(join(folder, 'file'), '');
    const file = `${folder}/${path}`;
    const { code, json } = await proxying(file, () => expect.unreachable('it was ready'));
    expect(code).toBe(2);
    expect(json()).toMatchObject([
      { error: { code: 'file_unwritable', message: `${file} cannot be written: ${why}.` } },
    ]);
    const mock = await runCli(machine, ['mock', 'exchanges', '--transcript', file], { env: {} });
    expect([mock.code, mock.stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('that cannot be written after all leaves the summary, and fails', async () => {
    const file = join(folder, 'run.json');
    const { code, json } = await proxying(file, () => mkdirSync(file));
    expect(code).toBe(2);
    expect(json().slice(-2)).toMatchObject([
      { event: 'summary', exchanges: 0, transcript: null },
      { error: { code: 'file_unwritable', message: `${file} cannot be written: it is a folder.` } },
    ]);
  });
});
