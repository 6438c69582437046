import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readNamedFile } from '../../src/cli/read-named-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-named-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file that a person named', () => {
  it('is read whole', () => {
    const path = join(folder, 'whole');
    const text = 'é'.repeat(100_000);
    writeFileSync(path, text);
    expect(readNamedFile(path)).toBe(text);
  });

  it('was read however large it is: of more than 16 MiB nothing is', () => {
    const path = join(folder, 'large');
    writeFileSync(path, '');
    truncateSync(path, 16 * 1024 * 1024 + 1);
    expect(() => readNamedFile(path)).toThrow('more than 16 MiB');
  });

  it.runIf(process.platform === 'linux')('was read for ever where it has no end', () => {
    expect(() => readNamedFile('/dev/zero')).toThrow('more than 16 MiB');
  });

  it('is named when it cannot be read', () => {
    expect(() => readNamedFile(join(folder, 'none'))).toThrow('none cannot be read: there is none');
    expect(() => readNamedFile(folder)).toThrow('it is a folder');
  });
});
