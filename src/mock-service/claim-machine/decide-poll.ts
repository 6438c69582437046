import { SECOND } from '../../protocol/index.ts';
import { MIN_COLLECTION } from '../lifetimes.ts';
import { type Decision, type EventInputs, refuse } from './events.ts';
import type { AssertionTimes, RegistrationFacts } from './facts.ts';
import type { Moment } from './matrix.ts';
import { grantTarget } from './target.ts';

const SLOW_DOWN_STEP = 5 * SECOND;
const MAX_INTERVAL = 60 * SECOND;
/** A poll may be this much early: clocks and networks are not exact. */
const EARLY_TOLERANCE = SECOND;

/** RFC 8628 §3.5: the interval is raised for this and all later polls. */
export function pollPending(
  { attempt }: RegistrationFacts,
  _input: EventInputs['poll'],
  { now, faults }: Moment,
): Decision {
  if (attempt === undefined) return refuse('token', 'authorization_pending');
  const { lastPollAt, interval } = attempt;
  const early =
    (lastPollAt !== undefined &&
      now - lastPollAt < interval - EARLY_TOLERANCE &&
      !faults.has('noSlowDown')) ||
    faults.has('slowDownAlways');
  const raised = Math.max(interval, Math.min(interval + SLOW_DOWN_STEP, MAX_INTERVAL));
  return {
    ...refuse('token', early ? 'slow_down' : 'authorization_pending'),
    effects: [{ kind: 'record_poll', at: now, interval: early ? raised : interval }],
  };
}

export function pollLapsed({ attempt }: RegistrationFacts): Decision {
  return refuse('token', attempt?.deniedAt === undefined ? 'expired_token' : 'access_denied');
}

/** Delivers a completed claim; again within the redelivery time, with the same assertion. */
export function deliver(
  facts: RegistrationFacts,
  { tokenHash, assertionJti, standing, target }: EventInputs['poll'],
  { now, lifetimes, faults }: Moment,
): Decision {
  if (faults.has('pendingForever')) return refuse('token', 'authorization_pending');
  const { claimedAt, delivery } = facts;
  if (claimedAt === undefined) return refuse('token', 'invalid_grant');
  const deliverableUntil = delivery
    ? delivery.firstAt + lifetimes.redelivery
    : Math.max(facts.windowEndsAt, claimedAt + MIN_COLLECTION);
  if (now >= deliverableUntil || !standing) return refuse('token', 'invalid_grant');
  const granted = grantTarget(facts.postClaimScopes, facts.resource, target);
  if (granted.kind === 'refused') return { outcome: granted, effects: [] };
  const assertion: AssertionTimes = delivery?.assertion ?? {
    jti: assertionJti,
    issuedAt: now,
    expiresAt: now + lifetimes.claimedAssertion,
  };
  const token = {
    hash: tokenHash,
    scopes: granted.scopes,
    resource: granted.resource,
    expiresAt: now + lifetimes.accessToken,
    assertionJti: assertion.jti,
  };
  return {
    outcome: {
      kind: 'token',
      scopes: token.scopes,
      resource: token.resource,
      expiresAt: token.expiresAt,
      assertion,
    },
    effects: [{ kind: 'deliver', at: now, assertion, token }],
  };
}
