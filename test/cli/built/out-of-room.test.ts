import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITED } from '../../support/limited.ts';
import { Home, isBuilt, NOT_BUILT, PROGRAM, Program } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** A line of a shell, in which `agent-auth` is the built program. It is killed where it does not end. */
function start(line: string): Program {
  const child = spawn('sh', ['-c', line.replace('agent-auth', 'exec "$NODE" "$PROGRAM"')], {
    env: { ...home.environment, NODE: process.execPath, PROGRAM },
    ...LIMITED,
  });
  child.stdin.end();
  return new Program(child);
}

async function shell(line: string) {
  const program = start(line);
  const code = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

const FULL = /^✗ The output could not be written to stdout: the disk is full\. [^\n]+\n$/;

describe.runIf(isBuilt && existsSync('/dev/full'))('the built program on a full disk', () => {
  it.each(['exit-codes', '--help'])('prints one line and no stack: help %s', async (word) => {
    const { code, stderr } = await shell(`agent-auth help ${word} > /dev/full`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(FULL)]);
  });

  it('exits 2 as ever when the error itself cannot be written', async () => {
    expect(await shell('agent-auth registr 2> /dev/full')).toEqual({
      code: 2,
      stdout: '',
      stderr: '',
    });
  });
});

/** Enough for every command, whatever was open before it. */
const MANY = 256;

interface Ended {
  readonly files: number;
  readonly works: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Runs a command with so many open files allowed. A server is stopped once it is ready. */
async function withFiles(files: number, line: string, ready: RegExp): Promise<Ended> {
  const program = start(`ulimit -n ${files}; agent-auth ${line}`);
  const works = await program.until(ready).then(
    () => true,
    () => false,
  );
  program.child.kill('SIGTERM');
  const code = await program.ended;
  return { files, works, code, signal: program.child.signalCode, stderr: program.stderr };
}

/**
 * The command with every limit from the first that is enough for it downwards, as far as it takes. How many
 * are enough is for each version of Node to say, and for what it was started with.
 */
async function aroundTheLimit(line: string, ready: RegExp): Promise<readonly Ended[]> {
  const all = [await withFiles(MANY, line, ready)];
  let [fails, works] = [8, MANY];
  while (works - fails > 1) {
    const files = Math.floor((fails + works) / 2);
    const ended = await withFiles(files, line, ready);
    all.push(ended);
    if (ended.works) works = files;
    else fails = files;
  }
  for (const less of [2, 3]) all.push(await withFiles(works - less, line, ready));
  return all;
}

describe.runIf(isBuilt && process.platform === 'linux')('the built program', () => {
  it.each([
    ['status', /agent-auth connect URL/],
    ['doctor', /No failures/],
    ['mock up --port 0', /Press Ctrl-C/],
  ])(
    'names the limit of open files in one line where it is too low for %s',
    async (line, ready) => {
      const all = await aroundTheLimit(line, ready);
      expect(all[0]).toMatchObject({ works: true });
      expect(all.filter(({ signal }) => signal === 'SIGKILL')).toEqual([]);
      // With fewer still, Node ends by itself before any line of the program has run: it cannot read that one either.
      const ours = all.filter(({ works, stderr }) => !works && /✗|dist\//.test(stderr));
      for (const { files, code, stderr } of ours) {
        const named = `the limit of ${files} open files is too low[;:] ulimit -n 1024 allows more`;
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(new RegExp(`^✗ [^\\n]*${named}\\.?\\n$`, 'i')),
        ]);
      }
      // A command that opens few files may need no more than Node does to start: then Node alone complains.
      const ofNode = all.filter(({ works, stderr }) => !works && /^$|node:|node\[/.test(stderr));
      expect(ours.length + ofNode.length).toBe(all.filter(({ works }) => !works).length);
      if (line.startsWith('mock up')) expect(ours).not.toEqual([]);
    },
  );
});
