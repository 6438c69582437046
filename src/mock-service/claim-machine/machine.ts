import type { Clock } from '../../runtime/ports.ts';
import type { Lifetimes } from '../config/lifetimes.ts';
import type { AfterClaim } from './after-claim.ts';
import type { Decision, EventInputs, EventName } from './events.ts';
import type { RegistrationFacts } from './facts.ts';
import type { Pace } from './pace.ts';
import type { State } from './state.ts';

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

/** One cell: the decision, and its description in the documentation. */
export interface Cell<E extends EventName> {
  readonly decide: Decide<E>;
  readonly description: string;
}

export type Matrix = { readonly [E in EventName]: { readonly [S in State]: Cell<E> } };
