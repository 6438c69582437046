import type { Lifetimes } from '../config/lifetimes.ts';
import { wrongCode } from './decide-submit.ts';
import type { Effect } from './effects.ts';
import { type Decision, type EventInputs, refuse } from './events.ts';
import { type AssertionTimes, isBurnt } from './facts.ts';
import type { Decide } from './machine.ts';

/** A code handed in by the agent. Before the user has confirmed, nothing is said about any code. */
export const redeem: Decide<'redeem'> = (facts, input, { afterClaim, now, lifetimes }) => {
  const { code, mailedTo } = input;
  const userId = mailedTo?.userId ?? facts.attempt?.confirmedBy;
  if (userId === undefined) return refuse('read_back', 'claim_not_confirmed');
  if (code !== 'right') return wrongCode('read_back', facts, code);
  return delivery(
    input,
    {
      jti: input.assertionJti,
      issuedAt: now,
      expiresAt: now + assertionLifetime(input, lifetimes),
    },
    { now, lifetimes },
    [{ kind: 'complete_claim', at: now, userId }, ...afterClaim(facts)],
  );
};

/** An attempt that has ended takes no code, the right one included. */
export const redeemLapsed: Decide<'redeem'> = (facts) => {
  const { attempt } = facts;
  if (attempt?.deniedAt !== undefined) return refuse('read_back', 'access_denied');
  const code = attempt && isBurnt(facts, attempt) ? 'too_many_attempts' : 'claim_attempt_expired';
  return refuse('read_back', code);
};

/** A claim is delivered once; where the dialect allows it, again while its answer may have been lost. */
export const redeemAgain: Decide<'redeem'> = (facts, input, { now, lifetimes }) => {
  const { delivery: delivered } = facts;
  const isLate = delivered === undefined || now >= delivered.firstAt + lifetimes.redelivery;
  if (isLate || !input.redelivers || !input.active || input.code !== 'right') {
    return refuse('read_back', 'already_claimed');
  }
  return delivery(input, delivered.assertion, { now, lifetimes }, [{ kind: 'end_refresh_tokens' }]);
};

/** A refresh token is traded once. A second time means a copy: everything that came of it ends. */
export const refresh: Decide<'refresh'> = (
  _facts,
  { assertionJti, hash, isSpent, nextHash },
  { now, lifetimes },
) => {
  if (isSpent) {
    return {
      ...refuse('refresh', 'invalid_refresh_token'),
      effects: [
        { kind: 'end_refresh_tokens' },
        { kind: 'raise_version' },
        { kind: 'end_credentials' },
      ],
    };
  }
  const assertion = {
    jti: assertionJti,
    issuedAt: now,
    expiresAt: now + lifetimes.assertion,
  };
  const refreshExpiresAt = now + lifetimes.refreshToken;
  return {
    outcome: { kind: 'refreshed', assertion, refreshExpiresAt },
    effects: [
      { kind: 'spend_refresh_token', hash, at: now },
      { kind: 'issue_assertion', assertion },
      { kind: 'issue_refresh_token', hash: nextHash, at: now, expiresAt: refreshExpiresAt },
    ],
  };
};

function delivery(
  { refreshHash }: EventInputs['redeem'],
  assertion: AssertionTimes,
  { now, lifetimes }: { readonly now: number; readonly lifetimes: Lifetimes },
  first: readonly Effect[],
): Decision {
  const effects: readonly Effect[] = [
    ...first,
    { kind: 'deliver', at: now, assertion, token: undefined },
  ];
  if (refreshHash === undefined) {
    return { outcome: { kind: 'redeemed', assertion, refreshExpiresAt: undefined }, effects };
  }
  const expiresAt = now + lifetimes.refreshToken;
  return {
    outcome: { kind: 'redeemed', assertion, refreshExpiresAt: expiresAt },
    effects: [...effects, { kind: 'issue_refresh_token', hash: refreshHash, at: now, expiresAt }],
  };
}

/** With a refresh token beside it, an assertion need not last. */
function assertionLifetime(
  { refreshHash }: EventInputs['redeem'],
  { assertion, claimedAssertion }: Lifetimes,
): number {
  return refreshHash === undefined ? claimedAssertion : assertion;
}
