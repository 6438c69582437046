import { Argument, type Command } from 'commander';
import { examples, notes } from '../shell/help-text.ts';
import type { Run } from '../shell/run.ts';
import { SHELLS, type Shell } from './completion/shells.ts';

/** `help`, `help COMMAND …`, and the topics that are tables of the code. */
export function addHelpCommands(program: Command, run: Run): void {
  program.helpCommand(false);
  examples(
    program
      .command('doctor')
      .summary('look at everything that commands rely on')
      .description(
        'Checks the program, its files and their modes, the environment, the network, and the way to the ' +
          'service step by step. It writes nothing. Exit 0 when nothing failed, 7 when the network alone did.',
      )
      .argument('[url]', 'the service (default: the one that every command would choose)')
      .action((url: string | undefined) =>
        run(async (context) => (await import('../doctor/doctor.ts')).doctor(context, url)),
      ),
    'doctor',
    'doctor https://api.example.com --json',
  );
  const completion = program
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .description('Prints a script that completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) =>
      run(async (context) => (await import('./completion.ts')).completion(context, program, shell)),
    );
  notes(completion, [
    'To keep it:',
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
