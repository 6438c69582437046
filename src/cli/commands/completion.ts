import type { Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { completionTree } from '../completion/completion-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { presentCompletion } from '../presenters/completion.ts';
import type { Shell } from '../shells.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints the script that teaches a shell the commands and options of this program. */
export async function completion(
  { output }: Context,
  program: Command,
  shell: Shell,
): Promise<Outcome> {
  output.result(presentCompletion(shell, SCRIPTS[shell](completionTree(program))));
  return 'done';
}
