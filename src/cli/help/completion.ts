import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { SCRIPTS } from './completion/scripts.ts';
import type { Shell } from './completion/shells.ts';

/** Prints the script that teaches a shell the commands and options of this program. */
export async function completion({ output }: Context, shell: Shell): Promise<Outcome> {
  const script = SCRIPTS[shell];
  output.result({
    schema: 'completion',
    json: () => ({ shell, script }),
    human: () => script.trimEnd(),
  });
  return 'done';
}
