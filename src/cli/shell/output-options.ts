/** The form in which a command prints. */
export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * The options of output as typed, before the command line is parsed: an error of parsing is printed in that form, too.
 */
export function typedOutputOptions(argv: readonly string[]): OutputOptions {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return { json: own.includes('--json'), quiet: own.includes('--quiet') };
}
