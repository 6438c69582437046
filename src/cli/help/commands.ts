import { Argument, type Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { SHELLS, type Shell } from './completion/shells.ts';

/** `help`, `help COMMAND …`, and the topics that are tables of the code. */
export function addHelpCommands(program: Command, run: Run): void {
  program.helpCommand(false);
  const completion = program
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .description('Prints a script that completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) =>
      run(async (context) => (await import('./completion.ts')).completion(context, program, shell)),
    );
  notes(completion, [
    'To install it:',
    '  bash  agent-auth completion bash > ~/.local/share/bash-completion/completions/agent-auth',
    '  zsh   agent-auth completion zsh > ~/.zfunc/_agent-auth',
    '        (with ~/.zfunc in fpath before compinit)',
    '  fish  agent-auth completion fish > ~/.config/fish/completions/agent-auth.fish',
  ]);
  examples(completion, 'completion bash', 'completion zsh');
  examples(
    program
      .command('help')
      .summary('show help for a command, options, errors, exit-codes or environment')
      .description(
        'Shows the help of a command, or a table: the options of every command, the members of an error ' +
          'in JSON, the exit codes, the environment variables.',
      )
      .argument('[topic...]', 'a command, options, errors, exit-codes or environment')
      .action((topic: readonly string[]) =>
        run(async (context) => (await import('./help.ts')).help(context, program, topic)),
      ),
    'help mock up',
    'help options',
    'help exit-codes --json',
  );
}
