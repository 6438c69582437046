import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readNamedFile } from '../../../src/cli/shell/read-named-file.ts';
import { Interrupted } from '../../../src/cli/terminal/interrupted.ts';
import { LIMITED } from '../../support/limited.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-named-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();

function newFifo(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path], LIMITED);
  return path;
}

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

describe.runIf(process.platform !== 'win32')('a FIFO that the user named', () => {
  it('is read to its end, also where its writer comes late', async () => {
    const path = newFifo('late');
    const reading = readNamedFile(path, signal);
    const writer = createWriteStream(path);
    writer.write('first, ');
    writer.end('last');
    expect((await reading).toString()).toBe('first, last');
  });

  it('is interrupted by Ctrl-C before anything is written to it', async () => {
    const interrupt = new AbortController();
    const reading = readNamedFile(newFifo('silent'), interrupt.signal);
    interrupt.abort(new Interrupted());
    await expect(reading).rejects.toThrow(Interrupted);
  });

  it('has no size to be seen: it was read however much came', async () => {
    const path = newFifo('endless');
    const reading = readNamedFile(path, signal);
    const writer = createWriteStream(path);
    const stopped = once(writer, 'error');
    const more = () => writer.write(Buffer.alloc(1024 * 1024));
    writer.on('drain', more);
    more();
    await expect(reading).rejects.toMatchObject({ code: 'file_too_large', outcome: 'usage' });
    expect((await stopped)[0]).toMatchObject({ code: 'EPIPE' });
  });
});
