import type { Command } from 'commander';

/** The lines at the end of a command's help, as they are typed. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const list = lines.map((line) => `  $ agent-auth ${line}`).join('\n');
  return command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${list}`);
}
