import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITED } from '../../support/limited.ts';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

// In a process of its own: a thread that ends closes each descriptor once more that it opened and a socket closed,
// and by then it may be another thread's file.

let home: Home;
let path: string;
beforeEach(() => {
  home = new Home();
  path = join(home.folder, 'ca.pem');
  execFileSync('mkfifo', [path], LIMITED);
});
afterEach(() => home.remove());

describe.runIf(isBuilt && process.platform !== 'win32')('a FIFO that the user named', () => {
  it('is read once, to its end, where its writer comes late', async () => {
    const program = home.start(`doctor --json --ca ${path}`);
    const { cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const writer = createWriteStream(path);
    writer.write(cert.slice(0, 100));
    writer.end(cert.slice(100));
    expect(await program.ended).toBe(0);
    expect(JSON.parse(program.stdout).checks).toContainEqual(
      expect.objectContaining({
        id: 'ca',
        status: 'ok',
        details: { file: path, certificates: 1 },
      }),
    );
  });

  it('is interrupted by Ctrl-C before anything is written to it', async () => {
    const program = home.start(`discover http://127.0.0.1:9 --ca ${path}`);
    // A writer can open it once the program has: that it waits is sure then.
    const writer = createWriteStream(path);
    await once(writer, 'open');
    program.child.kill('SIGINT');
    expect(await program.ended).toBe(130);
    writer.destroy();
  });

  it('has no size to be seen: it was read however much came', async () => {
    const program = home.start(`discover http://127.0.0.1:9 --ca ${path}`);
    const writer = createWriteStream(path);
    const stopped = once(writer, 'error');
    const more = () => writer.write(Buffer.alloc(1024 * 1024));
    writer.on('drain', more);
    more();
    expect(await program.ended).toBe(2);
    expect(program.stderr).toContain('larger than 16 MiB');
    expect((await stopped)[0]).toMatchObject({ code: 'EPIPE' });
  });
});
