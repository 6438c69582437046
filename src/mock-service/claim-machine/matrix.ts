import {
  confirm,
  confirmLapsed,
  deny,
  denyAgain,
  submit,
  submitAgain,
  submitToLapsed,
} from './decide-code.ts';
import {
  deliver,
  exchange,
  exchangeUnclaimed,
  pollLapsed,
  pollPending,
  redeem,
  redeemAgain,
  redeemLapsed,
  refresh,
} from './decide-exchange.ts';
import { openAttempt } from './decide-start.ts';
import { type Decision, type EventInputs, type EventName, refuse } from './events.ts';
import type { RegistrationFacts } from './facts.ts';
import type { Cell, Decide, DecisionContext, Matrix } from './machine.ts';

const cell = <E extends EventName>(description: string, decide: Decide<E>): Cell<E> => ({
  description,
  decide,
});

const revoke: Decide<'revoke'> = (_facts, _input, { now }) => ({
  outcome: { kind: 'revoked' },
  effects: [{ kind: 'revoke', at: now }, { kind: 'end_credentials' }],
});

const noRefresh: Decide<'refresh'> = () => refuse('refresh', 'invalid_refresh_token');

const noEffect: Decide<'revoke'> = () => ({ outcome: { kind: 'no_effect' }, effects: [] });

/**
 * The claim machine: event × state → outcome and effects (the specification's "States and
 * transitions", wire contract §8). A missing cell does not compile.
 */
export const MATRIX: Matrix = {
  start: {
    unclaimed: cell('new attempt', openAttempt),
    pending: cell('new attempt, the old one ends', openAttempt),
    lapsed: cell('new attempt', openAttempt),
    // The claim is made: there is nothing left to ask for.
    claimed: cell('`claimed_or_in_flight`', () => refuse('claim', 'claimed_or_in_flight')),
    expired: cell('`claim_expired`', () => refuse('claim', 'claim_expired')),
    // Revoked is final (wire contract §5).
    revoked: cell('`claim_expired`', () => refuse('claim', 'claim_expired')),
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
  confirm: {
    unclaimed: cell('`invalid_claim_attempt`', () => refuse('complete', 'invalid_claim_attempt')),
    pending: cell('confirmed, the page shows the code', confirm),
    lapsed: cell('`claim_attempt_expired`; burnt: `too_many_attempts`', confirmLapsed),
    claimed: cell('claimed, for the same account; else `already_claimed`', submitAgain),
    expired: cell('`claim_expired`', forOwner('claim_expired')),
    revoked: cell('`claim_expired`', forOwner('claim_expired')),
  },
  redeem: {
    unclaimed: cell('`claim_not_started`', () => refuse('read_back', 'claim_not_started')),
    pending: cell(
      '`claim_not_confirmed`; then right code: claimed and delivered; wrong: counted',
      redeem,
    ),
    lapsed: cell(
      '`claim_attempt_expired`; denied: `access_denied`; burnt: `too_many_attempts`',
      redeemLapsed,
    ),
    claimed: cell('`already_claimed`; again where the dialect redelivers', redeemAgain),
    expired: cell('`claim_expired`', () => refuse('read_back', 'claim_expired')),
    revoked: cell('`claim_expired`', () => refuse('read_back', 'claim_expired')),
  },
  refresh: {
    unclaimed: cell('`invalid_refresh_token`', noRefresh),
    pending: cell('`invalid_refresh_token`', noRefresh),
    lapsed: cell('`invalid_refresh_token`', noRefresh),
    claimed: cell('the next assertion and refresh token; spent: all of them end', refresh),
    expired: cell('`invalid_refresh_token`', noRefresh),
    revoked: cell('`invalid_refresh_token`', noRefresh),
  },
  poll: {
    unclaimed: cell('`authorization_pending`', pollPending),
    pending: cell('`authorization_pending`; too early: `slow_down`', pollPending),
    lapsed: cell('`expired_token`; denied: `access_denied`', pollLapsed),
    claimed: cell('tokens; after collection and redelivery `invalid_grant`', deliver),
    expired: cell('`expired_token`', () => refuse('token', 'expired_token')),
    revoked: cell('`invalid_grant`', () => refuse('token', 'invalid_grant')),
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
  context: DecisionContext,
): Decision {
  return context.matrix[event][context.stateOf(facts, context.now)].decide(facts, input, context);
}

/** Decides for the owner alone: another account is answered `wrong_account`, whatever the state. */
function forOwner(code: 'claim_expired') {
  return (facts: RegistrationFacts, { account }: EventInputs['deny']): Decision =>
    account.email === facts.email ? refuse('complete', code) : refuse('complete', 'wrong_account');
}
