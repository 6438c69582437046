import type { Context } from './context.ts';
import { commandLine, type Next } from './next.ts';
import { hasSecret } from './typed-line.ts';

/** The line as it was typed and then some; `undefined` where a word of it may be a secret. */
export function typedAgain({ argv, world }: Context, ...more: readonly string[]): Next | undefined {
  if (hasSecret(argv)) return undefined;
  return commandLine(...world.environment.programName.split(' '), ...argv, ...more);
}
