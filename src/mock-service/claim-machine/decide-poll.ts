import { type Lifetimes, MIN_COLLECTION } from '../config/lifetimes.ts';
import { refuse } from './events.ts';
import type { AssertionTimes, RegistrationFacts } from './facts.ts';
import type { Decide } from './machine.ts';
import { grantTarget } from './target.ts';

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
