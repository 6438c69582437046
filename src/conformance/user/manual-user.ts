import { MINUTE } from '../../protocol/index.ts';
import { CannotTest } from '../engine/judge.ts';
import type { ClaimReport, ClaimTask, User, UserTerminal } from './user.ts';

/** Where the user is asked. */
export interface ManualUserOptions {
  readonly terminal: UserTerminal;
  /** Milliseconds for one claim. Default: 5 minutes. */
  readonly within?: number;
}

/** Prints link and code, and waits for the user to press Enter. */
export class ManualUser implements User {
  readonly kind = 'manual';
  readonly #terminal: UserTerminal;
  readonly #within: number;

  constructor({ terminal, within = 5 * MINUTE }: ManualUserOptions) {
    this.#terminal = terminal;
    this.#within = within;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    const { decision, email, notes, password, userCode, verificationUri } = task;
    const how = password === undefined ? '' : ', with the password of --accounts';
    this.#terminal.show([
      decision === 'approve' ? 'Please approve this claim:' : 'Please deny this claim:',
      `  Open     ${plain(verificationUri)}`,
      `  Sign in  as ${plain(email)}${how}`,
      ...(notes === undefined ? [] : [`  Note     ${plain(notes)}`]),
      ...(decision === 'approve' ? [`  Code     ${plain(userCode)}`] : []),
      'Then press Enter here.',
    ]);
    if (await this.#terminal.done(this.#within)) {
      return { status: undefined, text: 'Done by hand.', exchange: undefined };
    }
    const seconds = Math.round(this.#within / 1000);
    throw new CannotTest(`The user did not act within ${seconds} seconds.`);
  }
}

/** The texts come from the judged service: what is not visible ASCII is escaped (attack A-31). */
function plain(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
