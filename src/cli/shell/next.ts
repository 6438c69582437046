import { needsOf } from '../../agent/next-step.ts';

/** The command to run next. Text shows its `line`; `--json` has all three members. */
export interface Next {
  /** What to run, unquoted, the program first: `['npx', 'agent-auth', 'claim', '--email', 'EMAIL']`. */
  readonly argv: readonly string[];
  /** The same for a shell: what is not plain is quoted. */
  readonly line: string;
  /** Elements of `argv` that the user has to fill in: `['EMAIL']`. */
  readonly needs: readonly string[];
}

/** A next step from the words of a command line, of this program or another one. */
export function commandLine(...argv: readonly string[]): Next {
  return { argv, line: argv.map(quote).join(' '), needs: needsOf(argv) };
}

export function quote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
