import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWritable, writeText } from '../../../src/cli/shell/write-text.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file that will be written', () => {
  it.runIf(existsSync('/proc/self'))('was refused after the run, where no file can be made', () => {
    expect(() => checkWritable('/proc/agent-auth.xml')).toThrow(
      /^\/proc\/agent-auth\.xml cannot be written: its folder /,
    );
  });

  it('is not there before it is written, nor is one that a link leads to', () => {
    symlinkSync(join(folder, 'later.xml'), join(folder, 'link.xml'));
    checkWritable(join(folder, 'report.xml'));
    checkWritable(join(folder, 'link.xml'));
    expect(readdirSync(folder)).toEqual(['link.xml']);
  });

  it('was refused without a reason after all', () => {
    expect(() => writeText(folder, 'text')).toThrow(`${folder} cannot be written: it is a folder.`);
  });
});
