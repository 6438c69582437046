import type { NextCommand, Step } from '../../agent/next-step.ts';
import { printableUrl } from '../../protocol/mask-tokens.ts';
import type { Context } from './context.ts';

/** Without an address these take the service in use, or look at none. */
const TAKES_SERVICE: ReadonlySet<NextCommand> = new Set(['discover', 'doctor', 'register']);

/**
 * A step that names the service which the failed command was about: without, it would look at another one
 * or at none. Where none is known, a person has to name it; `doctor` has other things to look at.
 * @param isProvider the failure was a provider's.
 */
export function stepAbout({ about }: Pick<Context, 'about'>, step: Step, isProvider = false): Step {
  const { command, args } = step;
  const isBare = args[0] === undefined || args[0].startsWith('-');
  if (!TAKES_SERVICE.has(command) || !isBare) return step;
  const { service } = about;
  if (command === 'doctor') {
    return service === undefined || isProvider
      ? step
      : { command, args: [printableUrl(service), ...args] };
  }
  if (service !== undefined) return { command, args: [printableUrl(service), ...args] };
  const isPlain = command === 'register' && args.length === 0;
  return { command: isPlain ? 'connect' : command, args: ['URL', ...args] };
}
