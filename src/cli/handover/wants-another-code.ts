import type { Context } from '../shell/context.ts';

/** A code is over: whether the person wants another. Nobody there to say so: no. */
export async function wantsAnotherCode({ canAsk, options, world }: Context): Promise<boolean> {
  if (options.yes) return true;
  return canAsk && world.ask.confirm('The code is over. Get a new one?', true);
}
