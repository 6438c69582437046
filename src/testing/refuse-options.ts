import { didYouMean } from '../runtime/index.ts';

/** The names of all options of a type: one that is missing here does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * A misspelt option would be left out without a word, and the rest would be as if it had not been given.
 * @param names `service.` before what belongs to the service.
 * @param fixed What there is, and cannot be given here: name and reason.
 * @throws TypeError for what are no options, and for a name that there is not.
 */
export function refuseOptions<Options extends object>(
  options: Options,
  known: OptionNames<Options>,
  names = '',
  fixed: Readonly<Record<string, string>> = {},
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const what = names === '' ? 'Options are' : `${names.slice(0, -1)} is`;
    throw new TypeError(`${what} an object, such as {}, not ${shown(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const reason = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
    if (reason !== undefined) throw new TypeError(`${names}${name} cannot be given: ${reason}`);
    throw new TypeError(
      `There is no option "${names}${name}".${didYouMean(name, Object.keys(known))}`,
    );
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a value of the type ${typeof value}`;
}
