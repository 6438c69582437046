import { SECOND } from '../../protocol/durations.ts';
import type { State } from '../../protocol/states.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Lifetimes } from '../config/lifetimes.ts';
import type { Effect } from './effects.ts';
import type { Decision, EventInputs, EventName } from './events.ts';
import { isBurnt, type RegistrationFacts } from './facts.ts';

/** The rules that decide about a registration. */
export interface ClaimMachine {
  /** The state of a registration, by its facts and the time in milliseconds. */
  readonly stateOf: (facts: RegistrationFacts, now: number) => State;
  readonly matrix: Matrix;
  readonly pace: Pace;
  readonly afterClaim: AfterClaim;
}

/** What a decision depends on: the instant, the configured lifetimes, and the machine. */
export interface DecisionContext extends ClaimMachine {
  readonly now: number;
  readonly lifetimes: Lifetimes;
}

/** What of a mock its decisions depend on. */
export interface Deciding {
  readonly clock: Clock;
  readonly config: { readonly lifetimes: Lifetimes };
  readonly decisions: ClaimMachine;
}

/** The context of a decision, now. */
export function decisionContext({ clock, config, decisions }: Deciding): DecisionContext {
  return { now: clock.now(), lifetimes: config.lifetimes, ...decisions };
}

export type Decide<E extends EventName> = (
  facts: RegistrationFacts,
  input: EventInputs[E],
  context: DecisionContext,
) => Decision;

/** A cell: the decision, and its description in the documentation. */
export interface Cell<E extends EventName> {
  readonly decide: Decide<E>;
  readonly description: string;
}

export type Matrix = { readonly [E in EventName]: { readonly [S in State]: Cell<E> } };

/** How fast an agent may poll; all in ms (wire contract §6). */
export interface Pace {
  /** A poll may be this much early: clocks and networks are not exact. */
  readonly tolerance: number;
  /** The seconds by which `slow_down` raises the interval (RFC 8628 §3.5). */
  readonly step: number;
  /** No interval is raised beyond this. */
  readonly longest: number;
}

export const PACE: Pace = { tolerance: SECOND, step: 5 * SECOND, longest: 60 * SECOND };

/** What a completed claim does to what was issued before it. */
export type AfterClaim = (facts: RegistrationFacts) => readonly Effect[];

/** The credential ends: the agent gets an assertion and tokens of the next version (wire contract §8). */
export const supersedeCredentials: AfterClaim = () => [
  { kind: 'raise_version' },
  { kind: 'end_credentials' },
];

/** The credential stays, and reaches as far as the claim does: a key that the agent has put into its configuration. */
export const widenCredentials: AfterClaim = ({ postClaimScopes }) => [
  { kind: 'widen_tokens', scopes: postClaimScopes },
];

/** The state at an instant (ms), in the precedence of wire contract §8. */
export function stateOf(facts: RegistrationFacts, now: number): State {
  if (facts.revokedAt !== undefined) return 'revoked';
  if (facts.claimedAt !== undefined || !facts.needsClaim) return 'claimed';
  if (now >= facts.windowEndsAt) return 'expired';
  const { attempt } = facts;
  if (attempt === undefined) return 'unclaimed';
  if (attempt.deniedAt !== undefined || isBurnt(facts, attempt)) return 'lapsed';
  return now >= attempt.expiresAt ? 'lapsed' : 'pending';
}
