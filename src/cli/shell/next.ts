import { needsOf } from '../../agent/next-step.ts';

/** A command that goes on from here. In text its `line` is shown; `--json` has all three. */
export interface Next {
  /** What to run, unquoted, the program first: `['npx', 'agent-auth', 'claim', '--email', 'EMAIL']`. */
  readonly argv: readonly string[];
  /** The same for a shell: what is not plain is quoted. */
  readonly line: string;
  /** Elements of `argv` that only a person can replace: `['EMAIL']`. */
  readonly needs: readonly string[];
}

/** The same of a command line that is complete, of this program or another one. */
export function commandLine(...argv: readonly string[]): Next {
  return { argv, line: argv.map(quote).join(' '), needs: needsOf(argv) };
}

export function quote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
