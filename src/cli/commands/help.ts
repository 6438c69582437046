import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { presentEnvironment, presentExitCodes } from '../presenters/help.ts';

/** The help of a command, or a topic that is a table of the code. */
export async function help(
  { output }: Context,
  program: Command,
  topic: readonly string[],
): Promise<Outcome> {
  const [first, ...rest] = topic;
  if (first === 'exit-codes' && rest.length === 0) output.result(presentExitCodes());
  else if (first === 'environment' && rest.length === 0) output.result(presentEnvironment());
  else findCommand(program, topic).outputHelp();
  return 'done';
}

function findCommand(program: Command, path: readonly string[]): Command {
  let at = program;
  for (const name of path) {
    const next = at.commands.find((command) => command.name() === name);
    if (next === undefined) {
      throw usageError(`There is no help on '${path.join(' ')}'.`, {
        hint: 'Topics: every command, exit-codes, environment.',
      });
    }
    at = next;
  }
  return at;
}
