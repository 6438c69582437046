import { hasSecret } from './has-secret.ts';
import { commandLine, type Next } from './next.ts';

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

/** Another value of these adds to those that were typed. */
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
