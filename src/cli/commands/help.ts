import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { presentEnvironment, presentExitCodes, presentOptions } from '../presenters/help.ts';
import { helpWidth } from '../tree/help-text.ts';

/** The help of a command, or a topic that is a table of the code. */
export async function help(
  { output, world }: Context,
  program: Command,
  topic: readonly string[],
): Promise<Outcome> {
  const { stdout } = world.streams;
  const columns = stdout.isTTY ? helpWidth(stdout.columns) : undefined;
  const [first, ...rest] = topic;
  if (first === 'exit-codes' && rest.length === 0) output.result(presentExitCodes(columns));
  else if (first === 'options' && rest.length === 0)
    output.result(presentOptions(program, columns));
  else if (first === 'environment' && rest.length === 0) output.result(presentEnvironment(columns));
  else findCommand(program, topic).outputHelp();
  return 'done';
}

function findCommand(program: Command, path: readonly string[]): Command {
  let at = program;
  for (const name of path) {
    const next = at.commands.find((command) => command.name() === name);
    if (next === undefined) {
      throw usageError(`There is no help on '${path.join(' ')}'.`, {
        hint: 'Topics: every command, options, exit-codes, environment.',
      });
    }
    at = next;
  }
  return at;
}
