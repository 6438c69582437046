/** Commands that an error may point to. */
export type NextCommand =
  | 'connect'
  | 'discover'
  | 'register'
  | 'claim'
  | 'claim wait'
  | 'token'
  | 'use'
  | 'revoke'
  | 'forget'
  | 'status'
  | 'doctor'
  | 'skill'
  | 'lint'
  | 'call'
  | 'provider login'
  | 'provider consent'
  | 'provider mint';

/** A command that goes on from here: `{ command: 'claim', args: ['--email', 'EMAIL'] }`. */
export interface Step {
  readonly command: NextCommand;
  /** The arguments, not quoted for any shell. A placeholder such as `EMAIL` stands alone in its element. */
  readonly args: readonly string[];
}

/** What to do next, for a program to render. */
export interface NextStep extends Step {
  /** The arguments that stand for something which only a user knows: `['EMAIL']`. */
  readonly needs: readonly string[];
}

/** What stands for a user's words in `args`: a whole element, to be replaced by them. */
const PLACEHOLDERS = [
  'EMAIL',
  'CODE',
  'ID',
  'URL',
  '/PATH',
  'FILE',
  '@FILE',
  'REGISTRATION',
  'SCOPE',
  'TYPE',
  'ORIGIN',
] as const;

export function nextStep({ command, args }: Step): NextStep {
  return { command, args, needs: needsOf(args) };
}

export function needsOf(args: readonly string[]): readonly string[] {
  const known: readonly string[] = PLACEHOLDERS;
  return [...new Set(args.filter((arg) => known.includes(arg)))];
}
