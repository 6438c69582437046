import type { State } from '../../protocol/states.ts';
import type { Receiver } from '../../traffic/exchange.ts';
import type { Controls } from '../controls/controls.ts';
import type { LiveMail, LiveRegistration } from './model.ts';

/** A mock as the live view shows it. */
export interface LivePart {
  readonly role: Receiver;
  /** How it calls itself. */
  readonly name: string;
  readonly controls: Controls;
  /** What a service alone has. */
  readonly service?: LiveService;
}

export interface LiveService {
  /** What it speaks. */
  readonly dialect: string;
  /** Newest first, a hundred at most, each but for its history. */
  registrations(): Promise<readonly Omit<LiveRegistration, 'history'>[]>;
  /** Newest first, a hundred at most. */
  mails(): Promise<readonly LiveMail[]>;
  /**
   * What a user would do.
   * @returns the state that it led to.
   * @throws WireProblem where that cannot be done.
   */
  decide(decision: LiveDecision, registrationId: string): Promise<State>;
}

export type LiveDecision = 'complete' | 'deny' | 'revoke';
