import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';

const TREE = buildProgram(async () => {}, {
  stdout: () => {},
  stderr: () => {},
  version: '0',
  columns: undefined,
});

/** What a command of the tree takes, those above it included. */
function optionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']);
  return [...own, '--help', '-h', ...(command.parent ? optionsOf(command.parent) : [])];
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Every option that some command takes, short or long. */
export const EVERY_OPTION: ReadonlySet<string> = new Set(everyCommand(TREE).flatMap(optionsOf));

/**
 * Why the program does not have what a line names: a command, or an option of it; placeholders such as `URL` are taken
 * for anything.
 */
export function problemOf(line: string): string | undefined {
  const [, ...words] = line.match(/'[^']*'|"[^"]*"|[^\s]+/g) ?? [];
  let at = TREE;
  for (const word of words) {
    if (word === '--') return undefined;
    const next = at.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next !== undefined) {
      at = next;
      continue;
    }
    const name = /^--?[a-z][\w-]*/i.exec(word)?.[0];
    if (name !== undefined && !optionsOf(at).includes(name)) return `${line}: no option ${name}`;
    const isGroup = at.commands.length > 0 && at.registeredArguments.length === 0;
    if (name === undefined && isGroup && /^[a-z][a-z-]+$/.test(word))
      return `${line}: no command ${word}`;
  }
  return undefined;
}
