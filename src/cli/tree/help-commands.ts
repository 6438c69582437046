import type { Command } from 'commander';
import type { Run } from '../run.ts';

/** `help`, `help COMMAND …`, and the topics that are tables of the code. */
export function addHelpCommands(program: Command, run: Run): void {
  program.helpCommand(false);
  program
    .command('help')
    .summary('show help for a command, exit-codes or environment')
    .description('Shows the help of a command, or one of the topics exit-codes and environment.')
    .argument('[topic...]', 'a command, exit-codes or environment')
    .action((topic: readonly string[]) =>
      run(async (context) => (await import('../commands/help.ts')).help(context, program, topic)),
    );
}
