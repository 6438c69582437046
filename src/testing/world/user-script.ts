import { didYouMean } from '../../runtime/index.ts';
import type { Poll } from './waiting.ts';

/**
 * What a user does when asked: approves; denies; gives a wrong code (nothing, where no code is given); waits for the
 * next time; or what a function does.
 */
export type UserAct = 'approve' | 'deny' | 'wrong_code' | 'wait' | (() => unknown);

const ACTS: readonly unknown[] = ['approve', 'deny', 'wrong_code', 'wait'] satisfies UserAct[];

/** A claim as its user sees it. What an agent calls a ceremony is one. */
export interface ShownClaim {
  /** The page; `null`: the code comes by mail. */
  readonly verificationUri: string | null;
  /** What the agent shows; left out where the user reads the code to the agent. */
  readonly userCode?: string | { reveal(): string } | undefined;
}

/** What a user can do at once. */
export interface UserHands {
  readonly email: string;
  /** The newest claim that waits for them at the service, or that of a registration. */
  claim(registrationId?: string): Promise<ShownClaim | undefined>;
  approve(claim?: ShownClaim): Promise<void>;
  deny(claim?: ShownClaim): Promise<void>;
  typeCode(code: string, claim?: ShownClaim): Promise<string>;
  readCode(claim?: ShownClaim): Promise<string>;
  signIn(decision?: 'approve' | 'deny', open?: ShownClaim): Promise<void>;
  consent(decision?: 'approve' | 'deny', consentUri?: string): Promise<void>;
}

/** What a user is going to do, one act each time that an agent asks. The last one stays. */
export class UserScript {
  readonly #hands: UserHands;
  #acts: readonly UserAct[] = [];

  constructor(hands: UserHands) {
    this.#hands = hands;
  }

  get email(): string {
    return this.#hands.email;
  }

  /** Whether they would do anything. */
  get isEmpty(): boolean {
    return this.#acts.length === 0;
  }

  /** @throws TypeError for an act that there is not. */
  write(acts: readonly UserAct[]): void {
    for (const act of acts) {
      if (typeof act === 'function' || ACTS.includes(act)) continue;
      throw new TypeError(
        `whenAsked takes ${ACTS.join(', ')} or a function, not ${String(act)}.${didYouMean(String(act), ACTS.map(String))}`,
      );
    }
    this.#acts = acts;
  }

  /** An agent polls for them. @throws what a function throws; Error where a page does not let them act. */
  async polled(poll: Poll): Promise<void> {
    const claim = poll.kind === 'claim' ? await this.#hands.claim(poll.registrationId) : undefined;
    if (poll.kind === 'claim' && claim === undefined) return;
    const act = this.#next();
    if (act === undefined || act === 'wait') return;
    if (typeof act === 'function') {
      await act();
      return;
    }
    try {
      await this.#act(act, poll, claim);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const what = act === 'wrong_code' ? 'give a wrong code' : act;
      throw new Error(`When asked, ${this.email} could not ${what}. ${why}`, { cause: error });
    }
  }

  async #act(
    act: Exclude<UserAct, 'wait' | (() => unknown)>,
    poll: Poll,
    claim: ShownClaim | undefined,
  ): Promise<void> {
    const hands = this.#hands;
    if (act === 'wrong_code') {
      const code = revealed(claim?.userCode);
      if (code !== undefined) await hands.typeCode(otherCode(code), claim);
    } else if (poll.kind === 'consent') {
      await hands.consent(act, poll.consentUri);
    } else if (poll.kind === 'sign_in') {
      await hands.signIn(act, poll.open);
    } else {
      await hands[act](claim);
    }
  }

  /** An agent asks them for the code of a claim. `undefined`: they do not have it yet. */
  async askedForCode(claim: ShownClaim): Promise<string | undefined> {
    const act = this.#next();
    if (act === undefined || act === 'wait') return undefined;
    if (typeof act === 'function') {
      await act();
      return undefined;
    }
    const code = await this.#hands.readCode(claim);
    if (act === 'deny') await this.#hands.deny(claim);
    return act === 'wrong_code' ? otherCode(code) : code;
  }

  #next(): UserAct | undefined {
    const [act, ...rest] = this.#acts;
    if (rest.length > 0) this.#acts = rest;
    return act;
  }
}

/** The text of a code. */
export function revealed(code: ShownClaim['userCode']): string | undefined {
  return typeof code === 'object' ? code.reveal() : code;
}

/** A different code of the same length and characters. */
function otherCode(code: string): string {
  const last = code.at(-1) ?? '';
  const other = /\d/.test(last) ? String((Number(last) + 1) % 10) : last === 'B' ? 'C' : 'B';
  return code.slice(0, -1) + other;
}
