import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITED } from '../../support/limited.ts';
import { Home, isBuilt, NOT_BUILT, PROGRAM } from './support.ts';

const hasPython = spawnSync('python3', ['-c', 'import pty'], LIMITED).status === 0;

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));
if (!hasPython) it('needs a python3', ({ skip }) => skip('python3 is missing'));

/** Runs its arguments as agents run programs, types Ctrl-C once they wait, prints exit code and size. */
const IN_A_PTY = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
stopped = False
while len(seen) < 1000000:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
    if not stopped and b'Waiting for' in seen:
        stopped = True
        os.write(terminal, b'\\x03')
else:
    os.kill(child, 9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(seen))
`;

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

describe.runIf(isBuilt && hasPython)('a terminal of 0 columns that pty.fork() made', () => {
  it('gets a screen and not a flood, and its Ctrl-C is heard', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    await home.run('register');
    const { stdout } = spawnSync(
      'python3',
      ['-c', IN_A_PTY, process.execPath, PROGRAM, 'claim', '--email', 'alice@example.com'],
      { env: home.environment, encoding: 'utf8', ...LIMITED },
    );
    const [code, bytes] = stdout.trim().split(' ').map(Number);
    expect(code).toBe(130);
    expect(bytes).toBeLessThan(4096);
  });
});
