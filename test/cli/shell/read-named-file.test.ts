import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readNamedFile } from '../../../src/cli/shell/read-named-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-named-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();

describe('a file that the user named', () => {
  it('is read whole', async () => {
    const path = join(folder, 'whole');
    const text = 'é'.repeat(100_000);
    writeFileSync(path, text);
    expect((await readNamedFile(path, signal)).toString()).toBe(text);
  });

  it('was read however large it is: of more than 16 MiB nothing is', async () => {
    const path = join(folder, 'large');
    writeFileSync(path, '');
    truncateSync(path, 16 * 1024 * 1024 + 1);
    await expect(readNamedFile(path, signal)).rejects.toThrow('larger than 16 MiB');
  });

  it.runIf(process.platform === 'linux')('was read for ever where it has no end', async () => {
    await expect(readNamedFile('/dev/zero', signal, '--config')).rejects.toThrow(
      'The file /dev/zero of --config is larger than 16 MiB.',
    );
  });

  it('is named when it cannot be read', async () => {
    await expect(readNamedFile(join(folder, 'none'), signal)).rejects.toThrow(
      'none cannot be read: it does not exist',
    );
    await expect(readNamedFile(folder, signal)).rejects.toThrow('it is a folder');
  });
});
