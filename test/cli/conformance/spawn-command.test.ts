import { describe, expect, it } from 'vitest';
import { readCommandLine, runCommand } from '../../../src/cli/conformance/spawn-command.ts';
import type { CommandLine } from '../../../src/cli/terminal/child.ts';

const node = (script: string): CommandLine => [process.execPath, '-e', script];

const run = (line: CommandLine, more: Partial<Parameters<typeof runCommand>[1]> = {}) =>
  runCommand(line, {
    input: { email: 'alice@example.com' },
    env: { PATH: process.env['PATH'] },
    timeout: 20_000,
    signal: new AbortController().signal,
    flag: '--mint-command',
    ...more,
  });

describe('the words of a command', () => {
  it.each([
    ['mint', ['mint']],
    ['  ./mint.sh  --fresh ', ['./mint.sh', '--fresh']],
    [`mint 'two words' "and 'more'"`, ['mint', 'two words', `and 'more'`]],
    [`--x='a b'c`, ['--x=a bc']],
    [`mint ""`, ['mint', '']],
    ['mint $HOME `id` *', ['mint', '$HOME', '`id`', '*']],
  ])('of %j', (text, words) => {
    expect(readCommandLine(text, '--mint-command')).toEqual(words);
  });

  it.each(['', '   ', `mint 'open`, 'mint "'])('are not there in %j', (text) => {
    expect(() => readCommandLine(text, '--mint-command')).toThrow(
      '--mint-command is not a command line',
    );
  });
});

describe('a command of the user', () => {
  it('reads JSON and answers', async () => {
    const echo = node(
      `let t='';process.stdin.on('data',(c)=>t+=c).on('end',()=>process.stdout.write(JSON.parse(t).email))`,
    );
    expect(await run(echo)).toBe('alice@example.com');
  });

  it('may leave something running that keeps its output open', async () => {
    const left = await run(
      node(`
        const { spawn } = require('node:child_process');
        const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit', detached: true });
        left.unref();
        process.stdout.write(String(left.pid));`),
    );
    process.kill(Number(left));
  });

  it('need not read its input', async () => {
    expect(await run(node(`process.stdin.destroy();process.stdout.write('x')`))).toBe('x');
  });

  it.each<[what: string, line: CommandLine, message: string]>([
    ['is not there', ['/nonexistent/mint'], 'there is no such command'],
    ['fails', node('process.exit(3)'), 'it ended with 3'],
    ['is killed', node(`process.kill(process.pid,'SIGKILL')`), 'it ended with SIGKILL'],
  ])('is reported when it %s', async (_what, line, message) => {
    await expect(run(line)).rejects.toThrow(`The command of --mint-command failed: ${message}.`);
  });

  it('is quoted when it fails, without what it was handed as a secret', async () => {
    const failing = node(`console.error('no account\\u001b[2J for tops3cret'); process.exit(1)`);
    const input = { email: 'alice@example.com', password: 'tops3cret' };
    const error = await run(failing, { input }).catch(String);
    expect(error).toContain('it ended with 1. It said: “no account\\u001b[2J for ');
    expect(error).not.toContain('tops3cret');
  });

  it('is told what is wrong with its output', async () => {
    const talking = node(`console.error('dry run'); console.log('nothing')`);
    await expect(run(talking, { check: () => 'it printed no JWT' })).rejects.toThrow(
      'The command of --mint-command failed: it printed no JWT. It said: “dry run”.',
    );
  });

  it('is ended when it takes too long', async () => {
    const forever = node('setInterval(() => {}, 1000)');
    await expect(run(forever, { timeout: 200 })).rejects.toThrow('it took too long');
  });

  it('is ended by Ctrl-C', async () => {
    const interrupt = new AbortController();
    const running = run(node('setInterval(() => {}, 1000)'), { signal: interrupt.signal });
    interrupt.abort(new Error('Interrupted.'));
    await expect(running).rejects.toThrow('Interrupted.');
  });
});
