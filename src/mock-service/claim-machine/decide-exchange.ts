import { covers, withoutFinalSlash } from '../../protocol/urls.ts';
import { type Lifetimes, MIN_COLLECTION } from '../config/lifetimes.ts';
import { wrongCode } from './decide-code.ts';
import type { Effect } from './effects.ts';
import { type Decision, type EventInputs, type Refusal, refuse, type Target } from './events.ts';
import { type AssertionTimes, isBurnt, NEVER, type RegistrationFacts } from './facts.ts';
import type { Decide, DecisionContext } from './machine.ts';

/** Before a claim only an anonymous registration has something to exchange. */
export const exchangeUnclaimed: Decide<'exchange'> = (facts, input, context) =>
  facts.type === 'anonymous'
    ? issue(facts, facts.preClaimScopes, facts.windowEndsAt, input, context)
    : refuse('token', 'invalid_grant');

export const exchange: Decide<'exchange'> = (facts, input, context) =>
  issue(facts, facts.postClaimScopes, Number.POSITIVE_INFINITY, input, context);

function issue(
  facts: RegistrationFacts,
  scopes: readonly string[],
  registrationEndsAt: number,
  { tokenHash, assertionJti, version, active, isEndless = false, target }: EventInputs['exchange'],
  { now, lifetimes }: DecisionContext,
): Decision {
  // The version says whether a claim has superseded the assertion (wire contract §3).
  if (version !== facts.version || !active) return refuse('token', 'invalid_grant');
  const granted = grantTarget(scopes, facts.resource, target);
  if (granted.kind === 'refused') return { outcome: granted, effects: [] };
  const expiresAt = isEndless ? NEVER : Math.min(now + lifetimes.accessToken, registrationEndsAt);
  const { resource } = granted;
  const token = { hash: tokenHash, scopes: granted.scopes, resource, expiresAt, assertionJti };
  return {
    outcome: { kind: 'token', scopes: granted.scopes, resource, expiresAt },
    effects: [{ kind: 'issue_token', token }],
  };
}

/** The claim may still come. A poll that is too early raises the interval for good (RFC 8628 §3.5). */
export const pollPending: Decide<'poll'> = ({ attempt }, _input, { now, pace }) => {
  if (attempt === undefined) return refuse('token', 'authorization_pending');
  const { lastPollAt, interval } = attempt;
  const early = lastPollAt !== undefined && now - lastPollAt < interval - pace.tolerance;
  const raised = Math.max(interval, Math.min(interval + pace.step, pace.longest));
  return {
    ...refuse('token', early ? 'slow_down' : 'authorization_pending'),
    effects: [{ kind: 'record_poll', at: now, interval: early ? raised : interval }],
  };
};

export const pollLapsed: Decide<'poll'> = ({ attempt }) =>
  refuse('token', attempt?.deniedAt === undefined ? 'expired_token' : 'access_denied');

/** Delivers a completed claim; again within the redelivery time, with the same assertion. */
export const deliver: Decide<'poll'> = (facts, input, { now, lifetimes }) => {
  const { tokenHash, assertionJti, active, target } = input;
  if (!active || now >= deliverableUntil(facts, lifetimes)) {
    return refuse('token', 'invalid_grant');
  }
  const granted = grantTarget(facts.postClaimScopes, facts.resource, target);
  if (granted.kind === 'refused') return { outcome: granted, effects: [] };
  const { scopes, resource } = granted;
  const assertion: AssertionTimes = facts.delivery?.assertion ?? {
    jti: assertionJti,
    issuedAt: now,
    expiresAt: now + lifetimes.claimedAssertion,
  };
  const expiresAt = now + lifetimes.accessToken;
  const token = { hash: tokenHash, scopes, resource, expiresAt, assertionJti: assertion.jti };
  return {
    outcome: { kind: 'token', scopes, resource, expiresAt, assertion },
    effects: [{ kind: 'end_delivered_token' }, { kind: 'deliver', at: now, assertion, token }],
  };
};

function deliverableUntil(
  { claimedAt, delivery, windowEndsAt }: RegistrationFacts,
  { redelivery }: Lifetimes,
): number {
  // Without a claim to make there is nothing to collect.
  if (claimedAt === undefined) return 0;
  if (delivery !== undefined) return delivery.firstAt + redelivery;
  return Math.max(windowEndsAt, claimedAt + MIN_COLLECTION);
}

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

/** How long an assertion lasts: with a refresh token beside it, it need not last. */
function assertionLifetime(
  { refreshHash }: EventInputs['redeem'],
  { assertion, claimedAssertion }: Lifetimes,
): number {
  return refreshHash === undefined ? claimedAssertion : assertion;
}

type GrantedTarget =
  | { readonly kind: 'granted'; readonly scopes: readonly string[]; readonly resource: string }
  | Refusal<'token'>;

/**
 * What a token is valid for: the registration's scopes, which a request can only narrow, at the
 * resource asked for, which must lie within what the registration is bound to (RFC 8707 §2.2): the resources of its
 * ID-JAG, separated by spaces, the first of which is meant where none is asked for.
 */
function grantTarget(
  scopes: readonly string[],
  boundTo: string | undefined,
  target: Target,
): GrantedTarget {
  const limits = (boundTo ?? target.base).split(' ');
  const [first = target.base] = limits;
  const resource = target.resource === undefined ? first : withoutFinalSlash(target.resource);
  if (!limits.some((limit) => resource === limit || covers(limit, resource))) {
    return { kind: 'refused', surface: 'token', code: 'invalid_target' };
  }
  const asked = target.scopes ?? scopes;
  if (!asked.every((scope) => scopes.includes(scope))) {
    return { kind: 'refused', surface: 'token', code: 'invalid_scope' };
  }
  return { kind: 'granted', scopes: scopes.filter((scope) => asked.includes(scope)), resource };
}
