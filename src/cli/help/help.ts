import type { Command } from 'commander';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { helpWidth } from '../shell/help-text.ts';
import { nearest } from '../shell/nearest.ts';
import { nextLine } from '../shell/next-line.ts';
import {
  presentEnvironment,
  presentErrorMembers,
  presentExitCodes,
  presentOptions,
} from './present-help.ts';

/** The help of a command, or a topic that is a table of the code. */
export async function help(
  context: Context,
  program: Command,
  topic: readonly string[],
): Promise<Outcome> {
  const { output, world } = context;
  const { stdout } = world.streams;
  const columns = stdout.isTTY ? helpWidth(stdout.columns) : undefined;
  const [first, ...rest] = topic;
  if (first === 'exit-codes' && rest.length === 0) output.result(presentExitCodes(columns));
  else if (first === 'errors' && rest.length === 0) output.result(presentErrorMembers(columns));
  else if (first === 'options' && rest.length === 0)
    output.result(presentOptions(program, columns));
  else if (first === 'environment' && rest.length === 0) output.result(presentEnvironment(columns));
  else findCommand(context, program, topic).outputHelp();
  return 'done';
}

const TABLES = ['options', 'errors', 'exit-codes', 'environment'];

function findCommand(context: Context, program: Command, path: readonly string[]): Command {
  let at = program;
  for (const [index, name] of path.entries()) {
    const next = at.commands.find((command) => command.name() === name);
    if (next === undefined) {
      const known = at.commands.map((command) => command.name());
      const near = nearest(name, index === 0 ? [...known, ...TABLES] : known);
      throw usageError(`There is no help on '${path.join(' ')}'.`, {
        hint:
          near === undefined
            ? `Topics: every command, ${TABLES.join(', ')}.`
            : `Did you mean ${near}?`,
        next: nextLine(context, 'help', ...path.slice(0, index), ...(near ? [near] : [])),
      });
    }
    at = next;
  }
  return at;
}
