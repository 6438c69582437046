import { STATES, type State } from '../../protocol/states.ts';
import type { EffectKind, EffectOf } from '../claim-machine/effects.ts';
import {
  type Decision,
  EVENTS,
  type EventInputs,
  type EventName,
  refuse,
} from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { Decide, DecisionContext, Pace } from '../claim-machine/machine.ts';
import type { Lifetimes } from '../config/lifetimes.ts';
import type { Decisions } from '../context/decisions.ts';
import type { Redecided } from './service-fault.ts';

/** The states in which a claim may still come. */
export const BEFORE_CLAIM = ['unclaimed', 'pending', 'lapsed'] as const;

/** How a cell of the claim machine decides another way than the right one. */
type Change<E extends EventName> = (right: Decide<E>, event: E) => Decide<E>;

type When<E extends EventName> = (
  facts: RegistrationFacts,
  input: EventInputs[E],
  context: DecisionContext,
) => boolean;

/** Makes some cells of the claim machine decide another way. */
export function at<E extends EventName>(
  event: E,
  states: readonly State[],
  change: Change<NoInfer<E>>,
): Redecided {
  return (decisions) => {
    const row = decisions.matrix[event];
    const cells = states.map((state) => {
      const { decide, description } = row[state];
      return [state, { description, decide: change(decide, event) }] as const;
    });
    const changed = { ...row, ...Object.fromEntries(cells) };
    return { ...decisions, matrix: { ...decisions.matrix, [event]: changed } };
  };
}

/** The whole machine sees the facts another way. */
export function everywhere(see: (facts: RegistrationFacts) => RegistrationFacts): Redecided {
  return (decisions) => {
    const seen = EVENTS.reduce<Decisions>(
      (left, event) => at(event, STATES, withFacts(see))(left),
      decisions,
    );
    return { ...seen, stateOf: (facts, now) => decisions.stateOf(see(facts), now) };
  };
}

/** Polls are paced another way. */
export function pacing(pace: Partial<Pace>): Redecided {
  return (decisions) => ({ ...decisions, pace: { ...decisions.pace, ...pace } });
}

/** Decides on other facts than there are. */
export function withFacts<E extends EventName>(
  see: (
    facts: RegistrationFacts,
    input: EventInputs[E],
    context: DecisionContext,
  ) => RegistrationFacts,
): Change<E> {
  return (right) => (facts, input, context) => right(see(facts, input, context), input, context);
}

/** Decides on another input than there was. */
export function withInput<E extends EventName>(
  hear: (input: EventInputs[E], facts: RegistrationFacts) => EventInputs[E],
): Change<E> {
  return (right) => (facts, input, context) => right(facts, hear(input, facts), context);
}

/** Decides by other lifetimes, in milliseconds. */
export function withLifetimes<E extends EventName>(lifetimes: Partial<Lifetimes>): Change<E> {
  return (right) => (facts, input, context) =>
    right(facts, input, { ...context, lifetimes: { ...context.lifetimes, ...lifetimes } });
}

/** Decides this, always or when it is meant. */
export function answering<E extends EventName>(
  decision: Decision,
  when: When<E> = () => true,
): Change<E> {
  return (right) => (facts, input, context) =>
    when(facts, input, context) ? decision : right(facts, input, context);
}

/** Refuses a poll or an exchange, always or when it is meant. */
export function refusing<E extends 'poll' | 'exchange'>(
  code: Parameters<typeof refuse<'token'>>[1],
  when?: When<E>,
): Change<E> {
  return answering(refuse('token', code), when);
}

/** Decides as in another state, always or when it is meant. */
export function inState<E extends EventName>(state: State, when: When<E> = () => true): Change<E> {
  return (right, event) => (facts, input, context) => {
    const decide = when(facts, input, context) ? context.matrix[event][state].decide : right;
    return decide(facts, input, context);
  };
}

/** Changes something else than it should in the place of an effect. */
export function effecting<K extends EffectKind, E extends EventName>(
  kind: K,
  change: (effect: EffectOf<K>, context: DecisionContext) => readonly EffectOf<K>[],
): Change<E> {
  return (right) => (facts, input, context) => {
    const { outcome, effects } = right(facts, input, context);
    const isMeant = (effect: (typeof effects)[number]): effect is EffectOf<K> =>
      effect.kind === kind;
    return {
      outcome,
      effects: effects.flatMap((effect) => (isMeant(effect) ? change(effect, context) : effect)),
    };
  };
}

/** Does not do one of the things that follow. */
export function without<E extends EventName>(kind: EffectKind): Change<E> {
  return effecting(kind, () => []);
}

/** Changes a decision in two ways, one after the other. */
export function both<E extends EventName>(first: Change<E>, second: Change<E>): Change<E> {
  return (right, event) => second(first(right, event), event);
}
