import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HOST_NAMES } from '../../../src/cli/mcp/host-names.ts';
import { HOSTS, installedStart, publishedStart } from '../../../src/cli/mcp/mcp.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { toolsOf } from '../../../src/mcp/tools/all-tools.ts';
import { shell } from '../support/mocks.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8');

/** What a host starts, by the configuration as the host reads it. */
function started(config: string, format: string): { command: string; args: string[] } {
  if (format === 'toml') {
    const [, command = '', args = '[]'] = /^command = (".*")\nargs = (\[.*\])$/m.exec(config) ?? [];
    expect(config).toMatch(/^\[mcp_servers\.agent-auth\]\n/);
    return { command: JSON.parse(command), args: JSON.parse(args) };
  }
  const read = format === 'json' ? JSON.parse(config) : parse(config);
  const [servers] = Object.values(read) as Record<string, Record<string, unknown>>[];
  const { command, cmd = command, args } = servers?.['agent-auth'] ?? {};
  return { command: cmd as string, args: args as string[] };
}

const PACKAGES = ['-y'];

describe.each(HOST_NAMES)('mcp --print-config %s', (name) => {
  const { file, format, title } = HOSTS[name];

  it('prints what the page of the docs shows, and where it goes', async () => {
    const { code, stdout, stderr } = await shell(newMachine())(`mcp --print-config ${name}`);
    expect(code).toBe(0);
    expect(stderr).toContain(`For ${title}, in ${file}.`);
    expect(page).toContain(`| ${title} | \`${name}\` | ${file}`);
    expect(page).toContain(`\`\`\`${format}\n${stdout.trimEnd()}\n\`\`\``);
    expect(started(stdout, format)).toEqual({
      command: 'npx',
      args: [...PACKAGES, 'agent-auth', 'mcp'],
    });
  });

  it('keeps the options of the line', async () => {
    const { stdout } = await shell(newMachine())(
      `mcp --service https://a.example --only https://a.example --only https://b.example/ --allow-origin https://c.example --ca ca.pem --strict --agent-name bot --member a=b=c --dialect nested --read-only --print-config ${name}`,
    );
    expect(started(stdout, format).args.slice(PACKAGES.length)).toEqual(
      [
        ['agent-auth', 'mcp', '--service', 'https://a.example'],
        ['--only', 'https://a.example', '--only', 'https://b.example'],
        ['--allow-origin', 'https://c.example', '--ca', 'ca.pem', '--strict'],
        ['--agent-name', 'bot', '--member', 'a=b=c', '--dialect', 'nested', '--read-only'],
      ].flat(),
    );
  });
});

it('a configuration that was printed in a project or a clone fetched a package that is not published', () => {
  const file = '/a project/node_modules/agent-auth/bin/agent-auth.js';
  const machine = { platform: 'linux', inContainer: () => false } as const;
  const at = (programFile: string) =>
    readEnvironment({}, { ...machine, programFile: () => programFile }).programFile;
  expect(at(file)).toBe(file);
  expect(at('/home/a/.npm/_npx/1f/node_modules/agent-auth/bin/agent-auth.js')).toBe(undefined);
  for (const { write, format, command } of Object.values(HOSTS)) {
    const start = installedStart(file, ['--read-only']);
    expect(started(write(start), format)).toEqual({
      command: 'node',
      args: [file, 'mcp', '--read-only'],
    });
    if (command !== undefined) expect(command(start)).toContain(`'${file}'`);
  }
});

it('the page lists the tools that there are, and those that only read', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \| .+ \| (.+) \|$/gm)];
  expect(rows.map(([, name, title, reads]) => [name, title, reads !== 'no'])).toEqual(
    toolsOf({}).map(({ name, title, isReading }) => [name, title, isReading]),
  );
});

it('mcp at a terminal says who starts it, and what to type', async () => {
  const { stderr, stdout } = await runCli(newMachine(), ['mcp'], {
    tty: true,
    meanwhile: ({ stdin }) => stdin.end(),
  });
  expect(stderr).toContain('agent-auth mcp --print-config HOST');
  expect(stdout).toBe('');
});

describe('mcp --print-config', () => {
  it('is what every configuration of the page shows: pages.test.ts leaves them to this file', () => {
    const blocks = new Set(HOST_NAMES.map((name) => HOSTS[name].write(publishedStart([]))));
    expect(page.match(/^```(json|toml|yaml)$/gm)).toHaveLength(blocks.size);
  });

  it('is an object with --json', async () => {
    const { json } = await shell(newMachine())('mcp --print-config cursor --json');
    expect(json()[0]).toMatchObject({ schema: 'agent-auth.mcp-config/1', host: 'cursor' });
  });

  it('knows no other host', async () => {
    const { code, stderr } = await shell(newMachine())('mcp --print-config notepad');
    expect(code).toBe(2);
    expect(stderr).toContain('claude-desktop');
  });
});
