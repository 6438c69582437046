import type { Command } from 'commander';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { bashCompletion } from './completion/bash.ts';
import { completionTree } from './completion/completion-tree.ts';
import { fishCompletion } from './completion/fish.ts';
import { KNOWN_VALUES } from './completion/known-values.ts';
import type { Shell } from './completion/shells.ts';
import { zshCompletion } from './completion/zsh.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints the script that teaches a shell the commands and options of this program. */
export async function completion(
  { output }: Context,
  program: Command,
  shell: Shell,
): Promise<Outcome> {
  output.result(presentCompletion(shell, SCRIPTS[shell](completionTree(program, KNOWN_VALUES))));
  return 'done';
}

function presentCompletion(shell: string, script: string): Rendering {
  return {
    schema: 'completion',
    json: () => ({ shell, script }),
    human: () => script.trimEnd(),
  };
}
