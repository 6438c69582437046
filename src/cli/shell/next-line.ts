import type { Step } from '../../agent/next-step.ts';
import type { Style } from '../terminal/style.ts';
import type { Context } from './context.ts';
import { hasSecret } from './has-secret.ts';
import { commandLine, type Next } from './next.ts';

/** Commands that start their own servers: they take neither --service nor --ca. */
export const STARTERS: ReadonlySet<string> = new Set([
  'demo',
  'mock up',
  'mock service',
  'mock provider',
  'help',
]);

/** A command of this program, called as the user called it. @param command may be several words. */
export function nextLine(context: Context, command: string, ...args: readonly string[]): Next {
  const program = context.world.environment.programName.split(' ');
  const { service, ca } = STARTERS.has(command) ? {} : context.options;
  // A service or a CA file that was typed has to be typed again.
  const isNamed = service === undefined || args.includes('--service') || names(args, service);
  const named = isNamed ? [] : ['--service', service];
  const trusted = ca === undefined || args.includes('--ca') ? [] : ['--ca', ca];
  const settled = registersWith(context.argv, command, args);
  return commandLine(...program, ...command.split(' '), ...args, ...settled, ...named, ...trusted);
}

/** The line as the last of what a command prints. @param why what it is for. */
export function nextText(style: Style, { line }: Next, why?: string): string {
  return `  Next: ${style.cyan(line)}${why === undefined ? '' : `  ${style.dim(`(${why})`)}`}`;
}

/** How a service is spoken to, which stays as it was typed for whatever registers there next. */
const OF_REGISTRATION = ['--dialect', '--member', '--agent-name'];

function registersWith(
  argv: readonly string[],
  command: string,
  args: readonly string[],
): readonly string[] {
  if (command !== 'connect' && command !== 'register') return [];
  return argv.flatMap((word, index) => {
    const [flag = '', inline] = word.split(/=(.*)/s);
    const value = inline ?? argv[index + 1];
    const isOne = OF_REGISTRATION.includes(flag) && value !== undefined && !args.includes(flag);
    return isOne ? [flag, value] : [];
  });
}

/** Whether the arguments name the service, as typed or with the scheme that a bare host gets. */
function names(args: readonly string[], service: string): boolean {
  return args.some((arg) => arg === service || arg.replace(/^https?:\/\//, '') === service);
}

export function nextStepLine(context: Context, { command, args }: Step): Next {
  return nextLine(context, command, ...args);
}

/** The parts of a `Context` that hold the typed command line. */
interface Typed {
  readonly argv: readonly string[];
  readonly world: { readonly environment: { readonly programName: string } };
}

/**
 * The typed command line with the options of `more`, which replace the same ones.
 * `undefined` where a word of it may be a secret.
 */
export function typedAgain({ argv, world }: Typed, ...more: readonly string[]): Next | undefined {
  if (hasSecret(argv)) return undefined;
  const end = argv.indexOf('--');
  const ours = end === -1 ? argv : argv.slice(0, end);
  const theirs = end === -1 ? [] : argv.slice(end);
  const program = world.environment.programName.split(' ');
  return commandLine(...program, ...without(ours, more), ...more, ...theirs);
}

/** The options of which another value adds to those that were typed. */
const REPEATABLE: readonly string[] = ['--allow-origin'];

/** The words without the options of `more` and without their values. */
function without(argv: readonly string[], more: readonly string[]): readonly string[] {
  const flags = more.filter((word) => word.startsWith('--') && !REPEATABLE.includes(word));
  const takesValue = (flag: string) => more[more.indexOf(flag) + 1]?.startsWith('--') === false;
  return argv.filter((word, index) => {
    const before = argv[index - 1];
    // An option may have been typed without its value.
    const isValue = before !== undefined && flags.includes(before) && !word.startsWith('--');
    if (isValue && takesValue(before)) return false;
    return !flags.some((flag) => word === flag || word.startsWith(`${flag}=`));
  });
}
