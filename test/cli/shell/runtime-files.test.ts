import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { type RunningMock, RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import { testFolder } from '../../support/test-folder.ts';

let home: string;
let files: RuntimeFiles;
beforeEach(() => {
  home = testFolder();
  files = new RuntimeFiles(
    readEnvironment({ XDG_RUNTIME_DIR: home }, { platform: 'linux', inContainer: () => false }),
  );
});

const mock = (over: Partial<RunningMock> = {}): RunningMock => ({
  pid: process.pid,
  started: 1,
  service: 'http://127.0.0.1:4800',
  provider: null,
  control: null,
  ca: null,
  ...over,
});

describe('the note of a running mock', () => {
  it('is read back', () => {
    files.write(mock());
    expect(files.list()).toEqual([mock()]);
  });

  it('lies in a folder and a file that nobody else can read', () => {
    files.write(mock());
    expect(statSync(files.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(files.folder, `mock-${process.pid}.json`)).mode & 0o777).toBe(0o600);
  });

  it('is gone after the mock has stopped', () => {
    files.write(mock());
    files.remove(process.pid);
    expect(files.list()).toEqual([]);
  });

  it('of a killed process is not used and is removed', () => {
    const dead = 2 ** 22 - 1;
    files.write(mock({ pid: dead }));
    expect(files.list()).toEqual([]);
    expect(existsSync(join(files.folder, `mock-${dead}.json`))).toBe(false);
  });

  it('is not believed in a folder that others can write', () => {
    files.write(mock());
    chmodSync(files.folder, 0o777);
    expect(files.list()).toEqual([]);
    expect(() => files.write(mock())).toThrow(/closed folder/);
  });

  it('is not believed when it names another process', () => {
    files.write(mock());
    writeFileSync(join(files.folder, `mock-${process.pid}.json`), JSON.stringify(mock({ pid: 1 })));
    expect(files.list()).toEqual([]);
  });

  it('that is broken is passed over', () => {
    mkdirSync(files.folder, { mode: 0o700 });
    writeFileSync(join(files.folder, `mock-${process.pid}.json`), '{');
    expect(files.list()).toEqual([]);
  });

  it('is not looked for where there is no folder', () => {
    expect(files.list()).toEqual([]);
    expect(existsSync(files.folder)).toBe(false);
  });
});
