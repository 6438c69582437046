import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkWritable, writeText } from '../../../src/cli/shell/write-text.ts';
import { testFolder } from '../../support/test-folder.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

describe('a file that is to be written later', () => {
  it('is as it was, or not there, after it was tried', () => {
    const [there, missing] = [join(folder, 'there.xml'), join(folder, 'missing.xml')];
    writeFileSync(there, 'of an earlier run');
    const { mtimeMs } = statSync(there);
    checkWritable(there);
    checkWritable(missing);
    expect([readFileSync(there, 'utf8'), statSync(there).mtimeMs, existsSync(missing)]).toEqual([
      'of an earlier run',
      mtimeMs,
      false,
    ]);
  });

  it('may be a link to one that is not there yet, and neither is made or removed', () => {
    const [link, behind] = [join(folder, 'link.xml'), join(folder, 'behind.xml')];
    symlinkSync(behind, link);
    checkWritable(link);
    writeFileSync(link, 'new');
    expect(readFileSync(behind, 'utf8')).toBe('new');
  });

  it('was taken for writable in a folder that takes no files', () => {
    // Of root everything is writable, by its mode; and elsewhere there is no such folder.
    expect(() => checkWritable('/proc/agent-auth-test.xml')).toThrow(
      expect.objectContaining({ outcome: 'usage', code: 'file_unwritable' }),
    );
  });

  it('was refused without a reason after all', () => {
    expect(() => writeText(folder, 'text')).toThrow(`${folder} cannot be written: it is a folder.`);
  });
});
