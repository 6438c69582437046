import { CannotTest } from '../engine/judge.ts';
import type { ClaimReport, ClaimTask, User, UserDesk } from './user.ts';

const MINUTE = 60_000;

export interface ManualUserOptions {
  readonly desk: UserDesk;
  /** Milliseconds that somebody has for one claim. Default: 5 minutes. */
  readonly within?: number;
}

/** Prints link and code, and waits until somebody says that they are done. */
export class ManualUser implements User {
  readonly kind = 'manual';
  readonly #desk: UserDesk;
  readonly #within: number;

  constructor({ desk, within = 5 * MINUTE }: ManualUserOptions) {
    this.#desk = desk;
    this.#within = within;
  }

  async claim({ verificationUri, userCode, email, decision }: ClaimTask): Promise<ClaimReport> {
    this.#desk.show([
      decision === 'approve' ? 'Please approve this claim:' : 'Please deny this claim:',
      `  Open     ${plain(verificationUri)}`,
      `  Sign in  as ${plain(email)}`,
      ...(decision === 'approve' ? [`  Code     ${plain(userCode)}`] : []),
      'Then press Enter here.',
    ]);
    if (await this.#desk.done(this.#within)) {
      return { status: undefined, text: 'Done by hand.', exchange: undefined };
    }
    const seconds = Math.round(this.#within / 1000);
    throw new CannotTest(`Nobody did the user's part within ${seconds} seconds.`);
  }
}

/** Texts of the judged service reach a terminal (attack A-31): what is no visible ASCII is spelt out. */
function plain(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
