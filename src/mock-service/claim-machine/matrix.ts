import type { Faults } from '../../mock/index.ts';
import { HOUR } from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import type { Lifetimes } from '../lifetimes.ts';
import { deny, denyAgain, submit, submitAgain, submitToLapsed } from './decide-complete.ts';
import { exchange, exchangeUnclaimed } from './decide-exchange.ts';
import { deliver, pollLapsed, pollPending, pollRevoked, pollUnstarted } from './decide-poll.ts';
import { openAttempt, reopenLapsed, startClaimed, startRevoked } from './decide-start.ts';
import { type Decision, type EventInputs, type EventName, refuse } from './events.ts';
import type { RegistrationFacts } from './facts.ts';
import { type State, stateOf } from './state.ts';

/** The instant of a decision, the times that are configured, and what is to be decided wrongly. */
export interface Moment {
  readonly now: number;
  readonly lifetimes: Lifetimes;
  readonly faults: Faults<ServiceFault>;
}

export type Decide<E extends EventName> = (
  facts: RegistrationFacts,
  input: EventInputs[E],
  moment: Moment,
) => Decision;

/** One cell: what decides, and the words that the documentation prints for it. */
export interface Cell<E extends EventName> {
  readonly decide: Decide<E>;
  readonly says: string;
}

type Matrix = { readonly [E in EventName]: { readonly [S in State]: Cell<E> } };

const cell = <E extends EventName>(says: string, decide: Decide<E>): Cell<E> => ({ says, decide });

const revoke: Decide<'revoke'> = (_facts, _input, { now }) => ({
  outcome: { kind: 'revoked' },
  effects: [{ kind: 'revoke', at: now }],
});

const noEffect: Decide<'revoke'> = () => ({ outcome: { kind: 'no_effect' }, effects: [] });

/**
 * The claim machine: event × state → outcome and effects (the specification's "States and
 * transitions", wire.md §8). A missing cell does not compile.
 */
export const MATRIX: Matrix = {
  start: {
    unclaimed: cell('new attempt', openAttempt),
    pending: cell('new attempt, the old one ends', openAttempt),
    lapsed: cell('new attempt', reopenLapsed),
    claimed: cell('`claimed_or_in_flight`', startClaimed),
    expired: cell('`claim_expired`', () => refuse('claim', 'claim_expired')),
    revoked: cell('`claim_expired`', startRevoked),
  },
  submit: {
    unclaimed: cell('`invalid_claim_attempt`', () => refuse('complete', 'invalid_claim_attempt')),
    pending: cell('right code: claimed; wrong: counted', submit),
    lapsed: cell('`claim_attempt_expired`; burnt: `too_many_attempts`', submitToLapsed),
    claimed: cell('claimed, for the same account; else `already_claimed`', submitAgain),
    expired: cell('`claim_expired`', forOwner('claim_expired')),
    revoked: cell('`claim_expired`', forOwner('claim_expired')),
  },
  deny: {
    unclaimed: cell('`invalid_claim_attempt`', () => refuse('complete', 'invalid_claim_attempt')),
    pending: cell('denied', deny),
    lapsed: cell('denied before: denied; else as submit', denyAgain),
    claimed: cell('`already_claimed`', () => refuse('complete', 'already_claimed')),
    expired: cell('`claim_expired`', forOwner('claim_expired')),
    revoked: cell('`claim_expired`', forOwner('claim_expired')),
  },
  poll: {
    unclaimed: cell('`authorization_pending`', pollUnstarted),
    pending: cell('`authorization_pending`; too early: `slow_down`', pollPending),
    lapsed: cell('`expired_token`; denied: `access_denied`', pollLapsed),
    claimed: cell('tokens; after collection and redelivery `invalid_grant`', deliver),
    expired: cell('`expired_token`', () => refuse('token', 'expired_token')),
    revoked: cell('`invalid_grant`', pollRevoked),
  },
  exchange: {
    unclaimed: cell('anonymous: pre-claim scope; others `invalid_grant`', exchangeUnclaimed),
    pending: cell('anonymous: pre-claim scope; others `invalid_grant`', exchangeUnclaimed),
    lapsed: cell('anonymous: pre-claim scope; others `invalid_grant`', exchangeUnclaimed),
    claimed: cell('post-claim scope if `ver` is current, else `invalid_grant`', exchange),
    expired: cell('`invalid_grant`', () => refuse('token', 'invalid_grant')),
    revoked: cell('`invalid_grant`', () => refuse('token', 'invalid_grant')),
  },
  revoke: {
    unclaimed: cell('→ revoked', revoke),
    pending: cell('→ revoked', revoke),
    lapsed: cell('→ revoked', revoke),
    claimed: cell('→ revoked', revoke),
    expired: cell('no effect', noEffect),
    revoked: cell('no effect', noEffect),
  },
};

/** Decides an event: derives the state, looks up the cell. Changes nothing. */
export function decide<E extends EventName>(
  event: E,
  facts: RegistrationFacts,
  input: EventInputs[E],
  moment: Moment,
): Decision {
  const seen = withWindow(facts, moment.faults);
  return MATRIX[event][stateOf(seen, moment.now)].decide(seen, input, moment);
}

/** The facts as a service sees them that minds its outer window too little, or too much. */
function withWindow(facts: RegistrationFacts, faults: Moment['faults']): RegistrationFacts {
  if (faults.has('windowIgnored')) return { ...facts, windowEndsAt: Number.MAX_SAFE_INTEGER };
  if (faults.has('windowEndsEarly')) return { ...facts, windowEndsAt: facts.windowEndsAt - HOUR };
  return facts;
}

/** A stranger learns that the link is not theirs before anything about its state. */
function forOwner(code: 'claim_expired') {
  return (facts: RegistrationFacts, { account }: EventInputs['deny']): Decision =>
    account.email === facts.email ? refuse('complete', code) : refuse('complete', 'wrong_account');
}
