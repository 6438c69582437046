import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from '../import-source.js';
import { page, table } from '../markdown.js';
import { COMMON, FACTS } from './facts.js';
import { readTree } from './read-tree.js';

/**
 * @typedef {import('./read-tree.js').CommandEntry} CommandEntry
 * @typedef {import('./read-tree.js').Flag} Flag
 * @typedef {import('./facts.js').CommandFacts} CommandFacts
 * @typedef {import('../pages.js').Page} Page
 */

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = 'src/cli/program.ts';
const FOLDER = 'dist/docs/commands/';
/** The pages that people wrote, from there. */
const DOCS = '../../../docs/';

/** What the pages are made of. @param {string} root of the project */
async function readProgram(root) {
  const { buildProgram } = /** @type {typeof import('../../../src/cli/program.ts')} */ (
    await importSource(root, SOURCE)
  );
  const { docsPage } = /** @type {typeof import('../../../src/cli/shell/docs-page.ts')} */ (
    await importSource(root, 'src/cli/shell/docs-page.ts')
  );
  const { EXEC_EXIT_CODES, EXIT_CODES } =
    /** @type {typeof import('../../../src/cli/shell/exit-codes.ts')} */ (
      await importSource(root, 'src/cli/shell/exit-codes.ts')
    );
  const { SCHEMAS } = /** @type {typeof import('../../../src/cli/shell/schemas.ts')} */ (
    await importSource(root, 'src/cli/shell/schemas.ts')
  );
  const { ENVIRONMENT_VARIABLES } =
    /** @type {typeof import('../../../src/cli/shell/environment.ts')} */ (
      await importSource(root, 'src/cli/shell/environment.ts')
    );
  const silent = { stdout: () => {}, stderr: () => {}, version: '0', columns: undefined };
  return {
    tree: readTree(buildProgram(async () => {}, silent)),
    docsPage,
    exitCodes: { ...EXIT_CODES, ...EXEC_EXIT_CODES },
    schemas: SCHEMAS,
    variables: ENVIRONMENT_VARIABLES,
  };
}

/** @typedef {Awaited<ReturnType<typeof readProgram>>} Program */

/**
 * A page for each command, from the tree that the program parses with, and their index.
 *
 * @param {string} root of the project
 * @returns {Promise<Page[]>}
 */
export async function commandPages(root) {
  const program = await readProgram(root);
  const all = everyCommand(program.tree);
  checkFacts(all);
  const own = all.filter(
    ({ words }) =>
      words.length > 0 && program.docsPage(words) !== program.docsPage(words.slice(0, -1)),
  );
  return [
    { file: program.docsPage([]), markdown: indexPage(program) },
    ...own.map((command) => ({
      file: program.docsPage(command.words),
      markdown: commandPage(command, program),
    })),
  ];
}

/** @param {CommandEntry} command @returns {CommandEntry[]} */
function everyCommand(command) {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** @param {readonly CommandEntry[]} all */
function checkFacts(all) {
  const paths = new Set(all.map(({ words }) => words.join(' ')));
  const idle = Object.keys(FACTS).filter((path) => !paths.has(path));
  const missing = all
    .filter(({ words, commands }) => words.length > 0 && commands.length === 0)
    .filter(({ words }) => factsOf(words) === undefined)
    .map(({ words }) => words.join(' '));
  if (idle.length > 0) throw new Error(`scripts/docs/commands/facts.js: no command: ${idle}`);
  if (missing.length > 0) {
    throw new Error(`scripts/docs/commands/facts.js says nothing of: ${missing.join(', ')}`);
  }
}

/** Those of `claim wait` are those of `claim`. @param {readonly string[]} words */
function factsOf(words) {
  for (let length = words.length; length > 0; length -= 1) {
    const facts = FACTS[words.slice(0, length).join(' ')];
    if (facts !== undefined) return facts;
  }
  return undefined;
}

const EVERY_COMMAND =
  '`--json`, `--quiet`, `--debug`, `--service` and others are [options of every command](README.md#options-of-every-command).';

/** @param {CommandEntry} command @param {Program} program */
function commandPage(command, program) {
  const facts = factsOf(command.words);
  const [lead = '', ...more] = command.description.map((text) => prose(text, program));
  const below = command.commands;
  const isGroup = facts === undefined;
  return page(
    line(command.words),
    SOURCE,
    '',
    [
      lead,
      ...more,
      ...inside(command, program),
      ...(isGroup
        ? ['## Commands', commandTable(below, program)]
        : below.flatMap((each) => section(each, program))),
      ...(isGroup ? [] : [EVERY_COMMAND]),
      ...(facts === undefined ? [] : facing(facts, program)),
    ].join('\n\n'),
  );
}

/** A command below one that does something by itself. @param {CommandEntry} command @param {Program} program @returns {string[]} */
function section(command, program) {
  return [
    `## ${line(command.words)}`,
    ...command.description.map((text) => prose(text, program)),
    ...inside(command, program, '###'),
  ];
}

/** Usage, arguments, options, notes and examples. @param {CommandEntry} command @param {Program} program */
function inside(command, program, level = '##') {
  const { examples, options } = command;
  return [
    block(command.usage),
    ...(command.arguments.length === 0
      ? []
      : [`${level} Arguments`, flagTable('argument', command.arguments, program)]),
    ...(options.length === 0 ? [] : [`${level} Options`, flagTable('option', options, program)]),
    ...notes(command.notes, program),
    ...(examples.length === 0
      ? []
      : [`${level} Example${examples.length === 1 ? '' : 's'}`, block(examples.join('\n'), 'sh')]),
  ];
}

/** @param {CommandFacts} facts @param {Program} program */
function facing(facts, { exitCodes, schemas }) {
  const { declined, exits, json, see } = facts;
  const listed = [
    ...new Set([...COMMON, .../** @type {(keyof typeof exitCodes)[]} */ (Object.keys(exits))]),
  ].map((outcome) => ({
    code: exitCodes[outcome].code,
    meaning: exits[outcome] || exitCodes[outcome].meaning.replace(/; also: .*/, '.'),
  }));
  const codes = [...listed, ...(declined === undefined ? [] : [declined])]
    .sort((a, b) => a.code - b.code)
    .map(({ code, meaning }) => [
      String(code),
      cell(meaning.replace(/^exec: t/, 'T').replace(/^exec: a/, 'A')),
    ]);
  const names = json.map((name) => `\`${schemas[name]}\``);
  return [
    '## Exit codes',
    table(['exit', 'meaning'], codes),
    '## JSON',
    names.length === 0
      ? 'It prints nothing of its own: with `--json` an error is `agent-auth.error/1`.'
      : `\`--json\` prints ${names.join(', ')}, or \`agent-auth.error/1\` ([what stands in them](${DOCS}json.md)).`,
    '## See also',
    [...new Set(see)].map((file) => `- [${titleOf(file)}](${DOCS}${file})`).join('\n'),
  ];
}

/** The heading of a page of docs/. @param {string} file */
function titleOf(file) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(ROOT, 'docs', file), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${file} has no heading.`);
  return title;
}

/** @param {Program} program */
function indexPage(program) {
  const { tree, variables } = program;
  const groups = [...new Set(tree.commands.map(({ group }) => group))];
  const lists = groups.flatMap((group) => {
    const listed = tree.commands.filter((each) => each.group === group);
    return [
      `## ${group}`,
      commandTable(
        listed.flatMap((each) =>
          factsOf(each.words) === undefined ? [each, ...each.commands] : [each],
        ),
        program,
      ),
    ];
  });
  return page(
    'Commands',
    SOURCE,
    'Each command has a page; `agent-auth help COMMAND` shows the same in a terminal. In a project or a clone, type `npx agent-auth` wherever a page says `agent-auth`.',
    [
      block(tree.usage.replace('[options]', '[options of every command]')),
      ...lists,
      '## Options of every command',
      'They may stand before or after the command.',
      flagTable('option', tree.options, program),
      'Of the program alone: `--version` and `--help`. With `--debug --json`, each request is a line `agent-auth.debug/1`.',
      '## Environment',
      'Everything that is read from the environment.',
      table(
        ['variable', 'meaning'],
        Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, cell(meaning)]),
      ),
      '## See also',
      ['exit-codes.md', 'json.md', 'give-an-agent-access.md', 'test-an-agent.md', 'README.md']
        .map((file) => `- [${titleOf(file)}](${DOCS}${file})`)
        .join('\n'),
    ].join('\n\n'),
  );
}

/** @param {readonly CommandEntry[]} commands @param {Program} program */
function commandTable(commands, program) {
  return table(
    ['command', 'what it does'],
    commands.map(({ summary, words }) => [link(words, program), cell(summary)]),
  );
}

/** @param {readonly string[]} words @param {Program} program */
function link(words, { docsPage }) {
  return `[\`${words.join(' ')}\`](${docsPage(words).slice(FOLDER.length)})`;
}

/** @param {string} kind @param {readonly (Flag | CommandEntry['arguments'][number])[]} all @param {Program} program */
function flagTable(kind, all, program) {
  const rows = all.map((each) => [
    `\`${'flags' in each ? each.flags : each.name}\``,
    sentence(each, program),
    each.standard === undefined ? '' : cell(standard(each.standard)),
  ]);
  const hasDefaults = rows.some(([, , standard]) => standard !== '');
  return hasDefaults
    ? table([kind, 'meaning', 'default'], rows)
    : table(
        [kind, 'meaning'],
        rows.map((row) => row.slice(0, 2)),
      );
}

/** A value, or the words that say which. @param {string} text */
function standard(text) {
  return /^[^\s`]+$/.test(text) ? `\`${text}\`` : text;
}

/** @param {{ description: string, choices: readonly string[] }} of @param {Program} program */
function sentence({ description, choices }, program) {
  const values = choices.map((choice) => `\`${choice}\``).join(', ');
  return prose(description, program) + (values === '' ? '' : `. One of ${values}`);
}

/** Paragraphs; lines that are shown as they are make a block. @param {readonly string[]} lines @param {Program} program */
function notes(lines, program) {
  /** @type {string[]} */
  const parts = [];
  /** @type {string[]} */
  let shown = [];
  const end = () => {
    if (shown.length > 0) parts.push(block(shown.join('\n')));
    shown = [];
  };
  for (const text of lines) {
    if (text.startsWith(' ')) shown.push(text.slice(2));
    else {
      end();
      parts.push(prose(text, program));
    }
  }
  end();
  return parts;
}

/** @param {readonly string[]} words */
function line(words) {
  return `agent-auth ${words.join(' ')}`;
}

/** A sentence of the help: the commands and pages in it are links. @param {string} text @param {Program} program */
function prose(text, program) {
  const known = new Map(everyCommand(program.tree).map(({ words }) => [words.join(' '), words]));
  return cell(text)
    .replace(/`([a-z -]+)`/g, (quoted, name) => {
      const words = known.get(name);
      return words === undefined || words.length === 0 ? quoted : link(words, program);
    })
    .replace(/\bdocs\/([\w-]+\.md)\b/g, `[$1](${DOCS}$1)`);
}

/** Text of the help as Markdown: nothing in it is markup but what stands in backticks. @param {string} text */
function cell(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part
            .replace(/[<*]/g, '\\$&')
            .replace(/(?<![\w-])(?:--[a-z][a-z-]*[a-z]|AGENT_AUTH_[A-Z_]+)/g, '`$&`'),
    )
    .join('');
}

/** @param {string} text */
function block(text, language = 'text') {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
