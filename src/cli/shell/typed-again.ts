import { commandLine, type Next } from './next.ts';
import { hasSecret } from './typed-line.ts';

/** What of a `Context` tells how the program was called. */
interface Typed {
  readonly argv: readonly string[];
  readonly world: { readonly environment: { readonly programName: string } };
}

/**
 * The line as it was typed and then some: a flag of `more` takes the place of the same one.
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

/** What of a line stays beside `more`: neither its flags nor their values. */
function without(argv: readonly string[], more: readonly string[]): readonly string[] {
  const flags = more.filter((word) => word.startsWith('--'));
  const takesValue = (flag: string) => more[more.indexOf(flag) + 1]?.startsWith('--') === false;
  return argv.filter((word, index) => {
    const before = argv[index - 1];
    if (before !== undefined && flags.includes(before) && takesValue(before)) return false;
    return !flags.some((flag) => word === flag || word.startsWith(`${flag}=`));
  });
}
