import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const withToken = (env: Record<string, string> = {}) => ({ AGENT_AUTH_TOKEN: 'at_given', ...env });

/** Starts `exec` with words that have spaces in them. */
function exec(...words: string[]) {
  return home.startWords(
    ['exec', '--service', 'http://127.0.0.1:4800', '--', ...words],
    withToken(),
  );
}

describe.runIf(isBuilt)('the built program, running a command', () => {
  it('hands over the token and the URL of the service of a mock, and prints neither', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    await home.run('register');
    const script = `fetch(process.env.AGENT_AUTH_SERVICE + '/api/resource', {
      headers: { authorization: 'Bearer ' + process.env.AGENT_AUTH_TOKEN },
    }).then((answer) => console.log(answer.status))`;
    const program = home.startWords(['exec', '--', process.execPath, '-e', script]);
    expect(await program.ended).toBe(0);
    expect([program.stdout, program.stderr]).toEqual(['200\n', '']);
  });

  it('gives it stdin, stdout and stderr as they are', async () => {
    const program = exec('sh', '-c', 'cat; echo oops >&2; exit 3');
    program.child.stdin.write('first ');
    await new Promise((resolve) => setImmediate(resolve));
    program.child.stdin.end('second\n');
    expect(await program.ended).toBe(3);
    expect([program.stdout, program.stderr]).toEqual(['first second\n', 'oops\n']);
  });

  it('passes SIGTERM and SIGINT on and exits as the command does', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 9],
      ['SIGINT', 8],
    ] as const) {
      const program = exec(
        'sh',
        '-c',
        'trap "exit 9" TERM; trap "exit 8" INT; echo ready; while :; do sleep 0.05; done',
      );
      await program.until(/ready/);
      program.child.kill(signal);
      expect(await program.ended).toBe(code);
    }
  });

  it('exits 128 + n for a command that a signal ended', async () => {
    expect(await exec('sh', '-c', 'kill -KILL $$').ended).toBe(137);
  });

  it('exits 127 for a command that there is not, 126 for one that cannot be run', async () => {
    const missing = exec('agent-auth-no-such-command');
    expect(await missing.ended).toBe(127);
    expect([missing.stdout, missing.stderr]).toEqual([
      '',
      expect.stringContaining('There is no command agent-auth-no-such-command.'),
    ]);
    const folder = exec(join(home.folder));
    expect(await folder.ended).toBe(126);
  });

  it('keeps the words after the dashes as they are', async () => {
    const program = exec('printf', '%s|', '--json', '--', 'a b', '$HOME', '');
    expect(await program.ended).toBe(0);
    expect(program.stdout).toBe('--json|--|a b|$HOME||');
  });
});
