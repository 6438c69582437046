import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const program = (columns?: number, written: string[] = []) => {
  const write = (text: string) => written.push(text);
  return buildProgram(async () => {}, { stdout: write, stderr: write, columns });
};

function pathsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  const own = command.commands.filter((each) => each.name() !== 'help' || path.length === 0);
  return [path, ...own.flatMap((each) => pathsOf(each, [...path, each.name()]))];
}

async function helpOf(path: readonly string[], columns?: number): Promise<string> {
  const written: string[] = [];
  await program(columns, written)
    .parseAsync([...path, '--help'], { from: 'user' })
    .catch(() => {});
  return written.join('');
}

const COMMANDS = pathsOf(program()).map((path) => [path.join(' ') || 'agent-auth', path] as const);

describe('help', () => {
  it.each([
    ['registr --help', 'agent-auth register --help'],
    ['mock upp -h', 'agent-auth mock up -h'],
  ])('was shown with exit 0 for a command that there is not: %s', async (line, meant) => {
    const { code, stdout, stderr } = await runCli(newMachine(), line.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(meant.replace(/ -\S+$/, ''));
  });

  it.each(COMMANDS)('%s has an example', async (_name, path) => {
    expect(await helpOf(path)).toMatch(/\nExamples?:\n {2}\$ agent-auth /);
  });

  it.each([60, 80, 100])('is wrapped once at %i columns: no line is longer', async (columns) => {
    for (const [name, path] of COMMANDS) {
      const lines = (await helpOf(path, columns)).split('\n');
      // What is typed is never broken, nor are the lines of a file.
      const prose = lines.filter(
        (line) =>
          !/^ {2}(?:\$|bash|zsh|fish|\S+:| {2,}(?:- )?\w+:)|agent-auth help options$/.test(line),
      );
      const tooLong = prose.filter((line) => line.length > columns);
      expect([name, tooLong]).toEqual([name, []]);
    }
  });

  it.each([0, undefined])('takes a terminal of %s columns for one of 80', async (columns) => {
    expect(await helpOf(['register'], columns)).toBe(await helpOf(['register'], 80));
  });

  it('is not narrower than it must be: text carries no line breaks of its own', async () => {
    const [, prose = ''] = (await helpOf(['mock', 'reset'], 100)).split('\n\n');
    expect(prose.split('\n')[0]?.length).toBeGreaterThan(85);
  });

  it.each(['agent-auth', 'status', 'claim wait'])(
    'of %s is the same where only what the line needs is made',
    async (name) => {
      const path = name === 'agent-auth' ? [] : name.split(' ');
      const { stdout } = await runCli(newMachine(), [...path, '--help']);
      expect(stdout).toBe(await helpOf(path, 80));
    },
  );

  it('leaves the options of every command to `help options`', async () => {
    const help = await helpOf(['register']);
    expect(help).not.toMatch(/^ +--(?:json|quiet|allow-origin)/m);
    expect(help).toContain('agent-auth help options');
    const { code, stdout } = await runCli(newMachine(), ['help', 'options']);
    expect(code).toBe(0);
    for (const option of program().options) {
      if (option.long !== '--version') expect(stdout).toContain(option.flags);
    }
  });

  it('lists those options as JSON, too', async () => {
    const [json] = (await runCli(newMachine(), ['help', 'options', '--json'])).json();
    expect(json).toMatchObject({
      schema: 'agent-auth.options/1',
      options: expect.arrayContaining([{ flags: '--json', description: expect.any(String) }]),
    });
  });

  it('wraps a table of a topic on a terminal, and keeps a row one line in a pipe', async () => {
    const piped = await runCli(newMachine(), ['help', 'environment']);
    expect(piped.stdout).toMatch(/^PGSSLMODE .*except with no-verify\.$/m);
    const shown = await runCli(newMachine(), ['help', 'environment'], { tty: true });
    const longest = Math.max(...shown.stdout.split('\n').map((line) => line.trimEnd().length));
    expect(longest).toBeLessThanOrEqual(shown.streams.stdout.columns);
  });
});

it.each([
  ['--version', '--json'],
  ['--json', '-V'],
])('prints the version as JSON for %s %s', async (...line) => {
  const run = await runCli(newMachine(), line);
  expect(run.code).toBe(0);
  expect(run.json()).toEqual([
    {
      schema: 'agent-auth.version/1',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
    },
  ]);
});
