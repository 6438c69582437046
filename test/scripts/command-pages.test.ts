import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, it } from 'vitest';
import { commandPages } from '../../scripts/docs/commands/command-pages.js';
import { FACTS } from '../../scripts/docs/commands/facts.js';
import { buildProgram } from '../../src/cli/program.ts';
import { docsPage } from '../../src/cli/shell/docs-page.ts';
import { ENVIRONMENT_VARIABLES } from '../../src/cli/shell/environment.ts';
import { SCHEMAS, type SchemaName } from '../../src/cli/shell/schemas.ts';
import { checkDocumented } from '../cli/support/check-documented.ts';
import { relativeLinks } from '../support/anchors.ts';

const root = join(import.meta.dirname, '../..');
const tree = (columns?: number) =>
  buildProgram(async () => {}, { stdout: () => {}, stderr: () => {}, version: '0', columns });

interface Entry {
  readonly words: readonly string[];
  readonly command: Command;
}

/** Every command of the tree but the `help` of a group. */
function entries(command: Command, words: readonly string[] = []): readonly Entry[] {
  const own = command.commands.filter((each) => each.name() !== 'help' || words.length === 0);
  return [{ command, words }, ...own.flatMap((each) => entries(each, [...words, each.name()]))];
}

const ENTRIES = entries(tree());
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  pages = new Map((await commandPages(root)).map(({ file, markdown }) => [file, markdown]));
});

const pageOf = (words: readonly string[]): string => pages.get(docsPage(words)) ?? '';
const asCell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

it('has every command on its page, with each argument, each option and an example', () => {
  const missing = ENTRIES.flatMap(({ command, words }) => {
    const page = pageOf(words);
    const options = command.options.filter(({ long }) => long !== '--version');
    const wanted = [
      words.length === 0 ? '# Commands' : `# agent-auth ${words.join(' ')}\n`,
      ...options.map(({ flags }) => `| ${asCell(flags)} | `),
      ...command.registeredArguments.map((argument) => `${argument.name()}`),
      ...(words.length === 0 ? [] : ['```sh\nagent-auth ']),
    ];
    return wanted.filter((text) => !page.includes(text)).map((text) => [...words, text].join(' '));
  });
  expect(ENTRIES.length).toBeGreaterThan(55);
  expect(missing).toEqual([]);
});

it('says of each option and each argument what it is', () => {
  const empty = ENTRIES.flatMap(({ command, words }) =>
    [...command.options, ...command.registeredArguments]
      .filter(({ description }) => description.trim() === '')
      .map((each) => [...words, each.name()].join(' ')),
  );
  expect(empty).toEqual([]);
});

it('lists each command, each environment variable and the options of every command in the index', () => {
  const index = pageOf([]);
  const plain = index.replaceAll('`', '');
  for (const { command, words } of ENTRIES) {
    if (words.length === 0 || docsPage(words) === docsPage(words.slice(0, -1))) continue;
    expect(index).toContain(`| [\`${words.join(' ')}\`](`);
    expect(plain).toContain(`) | ${command.summary().replaceAll('`', '')} |`);
  }
  for (const name of Object.keys(ENVIRONMENT_VARIABLES)) expect(index).toContain(`| \`${name}\` |`);
});

it('names every JSON object of the program on the page of a command', () => {
  const listed = new Set<SchemaName>(Object.values(FACTS).flatMap(({ json }) => json));
  const anywhere: readonly string[] = ['error', 'debug', 'version'];
  const names = Object.keys(SCHEMAS) as readonly SchemaName[];
  expect(names.filter((name) => !listed.has(name) && !anywhere.includes(name))).toEqual([]);
  expect(pageOf(['mock', 'fault'])).toContain(`\`${SCHEMAS.mockFaults}\``);
});

it('writes the same in a narrow terminal, and without escape codes', async () => {
  const before = process.stdout.columns;
  process.stdout.columns = 40;
  try {
    for (const { file, markdown } of await commandPages(root)) {
      expect(markdown).toBe(pages.get(file));
      expect(markdown).not.toContain('\u001b');
    }
  } finally {
    process.stdout.columns = before;
  }
});

it('leads from each page to pages that are in the package', () => {
  const broken = [...pages].flatMap(([file, text]) =>
    relativeLinks(text)
      .map((link) => link.split('#')[0] ?? '')
      .filter((path) => {
        const target = join(dirname(file), path);
        return path !== '' && !pages.has(target) && !existsSync(join(root, target));
      })
      .map((path) => `${file}: ${path}`),
  );
  expect(broken).toEqual([]);
});

it.each([
  ['an exit code', ['status'], { code: 7, stdout: '' }],
  ['an object', ['claim', 'wait'], { code: 0, stdout: '{"schema":"agent-auth.mock-list/1"}\n' }],
])('finds %s that a page does not list', (_what, line, run) => {
  expect(() => checkDocumented(line, run)).toThrow('does not list');
  expect(() => checkDocumented(line, { code: 0, stdout: '' })).not.toThrow();
});
