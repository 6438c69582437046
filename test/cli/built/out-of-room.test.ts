import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT, PROGRAM } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** A line of a shell, in which `agent-auth` is the built program. */
function shell(line: string): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', line.replace('agent-auth', '"$NODE" "$PROGRAM"')],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        AGENT_AUTH_HOME: home.folder,
        XDG_RUNTIME_DIR: home.folder,
        NODE: process.execPath,
        PROGRAM,
      },
    },
  );
  return { code: status, stdout, stderr };
}

const FULL = /^✗ The output could not be written to stdout: the disk is full\. [^\n]+\n$/;

describe.runIf(isBuilt && existsSync('/dev/full'))('the built program on a full disk', () => {
  it.each(['exit-codes', '--help'])('prints one line and no stack: help %s', (word) => {
    const { code, stderr } = shell(`agent-auth help ${word} > /dev/full`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(FULL)]);
  });

  it('exits 2 as ever when the error itself cannot be written', () => {
    expect(shell('agent-auth registr 2> /dev/full')).toEqual({ code: 2, stdout: '', stderr: '' });
  });
});

describe.runIf(isBuilt && process.platform === 'linux')('the built program', () => {
  it('prints one line and no stack where too few files may be open', () => {
    // How many are enough is for each version of Node to say; with fewer still, Node does not start.
    const tooFew = [40, 32, 28, 26, 25, 24, 23, 22, 21, 20]
      .map((files) => shell(`ulimit -n ${files}; agent-auth status`))
      .find(({ code }) => code !== 4);
    expect([tooFew?.code, tooFew?.stderr]).toEqual([
      1,
      expect.stringMatching(/^✗ agent-auth cannot run: EMFILE: [^\n]+ulimit -n[^\n]+\n$/),
    ]);
  });

  it.each(['doctor', 'mock up --port 0'])('prints one line where 64 are too few for %s', (line) => {
    const { code, stderr } = shell(`ulimit -n 64; timeout 20 agent-auth ${line}`);
    // A later Node may need fewer: it then runs until the time is over, or finds what it looks for.
    if (code === 1) expect(stderr).toMatch(/^✗ [^\n]+ulimit -n 1024 allows more\.?\n$/);
    else expect(stderr).not.toContain('EMFILE');
  });

  it('names the limit where it is too low for the mocks', () => {
    const { code, stderr } = shell('ulimit -n 48; timeout 20 agent-auth mock up --port 0');
    // A later Node runs with so few, until the time is over.
    if (code === 124) return expect(stderr).toBe('\nStopping.\n');
    return expect([code, stderr]).toEqual([
      1,
      '✗ agent-auth cannot run: EMFILE: the limit of 48 open files is too low; ulimit -n 1024 allows more\n',
    ]);
  });
});
