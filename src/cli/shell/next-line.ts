import type { Step } from '../../agent/next-step.ts';
import type { Context } from './context.ts';
import { commandLine, type Next } from './next.ts';

/** Those that start servers of their own: the service and authority in use are nothing to them. */
const STARTERS: ReadonlySet<string> = new Set([
  'demo',
  'mock up',
  'mock service',
  'mock provider',
  'help',
]);

/** A command of this program as the person called it. @param command may be of several words. */
export function nextLine(context: Context, command: string, ...args: readonly string[]): Next {
  const program = context.world.environment.programName.split(' ');
  const { service, ca } = STARTERS.has(command) ? {} : context.options;
  // Who named the service or an authority on the command line has to name it again.
  const isNamed = service === undefined || args.includes('--service') || names(args, service);
  const named = isNamed ? [] : ['--service', service];
  const trusted = ca === undefined || args.includes('--ca') ? [] : ['--ca', ca];
  return commandLine(...program, ...command.split(' '), ...args, ...named, ...trusted);
}

/** As typed, or with the scheme that a bare host gets. */
function names(args: readonly string[], service: string): boolean {
  return args.some((arg) => arg === service || arg.replace(/^https?:\/\//, '') === service);
}

export function nextStepLine(context: Context, { command, args }: Step): Next {
  return nextLine(context, command, ...args);
}
