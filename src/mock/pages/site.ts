/** Where every mock says what it is. */
export const START_PATH = '/';

/** Whose pages they are. */
export interface Site {
  /** Shown on every page. */
  readonly name: string;
  readonly role: 'Mock service' | 'Mock provider' | 'Replay';
  /** Where a sign-in without another destination leads. */
  readonly homePath: string;
}
