import type { Command } from 'commander';
import type { Commands } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { SHELLS } from './completion/shells.ts';

/** `help COMMAND …`, the topics that are tables of the code, and what completes all of it. */
export const helpCommands = (program: Command): Commands => ({
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    description: 'Prints a script that completes commands, options and their values.',
    arguments: [['<shell>', 'the shell', SHELLS]],
    notes: [
      'To install it:',
      '  bash  agent-auth completion bash > ~/.local/share/bash-completion/completions/agent-auth',
      '  zsh   agent-auth completion zsh > ~/.zfunc/_agent-auth',
      '        (with ~/.zfunc in fpath before compinit)',
      '  fish  agent-auth completion fish > ~/.config/fish/completions/agent-auth.fish',
    ],
    load: async () => (await import('./completion.ts')).completion,
    examples: ['completion bash', 'completion zsh'],
  },
  help: {
    summary: 'show help for a command, options, errors, exit-codes or environment',
    description:
      'Shows the help of a command, or a table: the options of every command, the members of an error ' +
      'in JSON, the exit codes, the environment variables.',
    arguments: [['[topic...]', 'a command, options, errors, exit-codes or environment']],
    load: async () => {
      const { help } = await import('./help.ts');
      return (context: Context, topic: readonly string[]) => help(context, program, topic);
    },
    examples: ['help mock up', 'help options', 'help exit-codes --json'],
  },
});
