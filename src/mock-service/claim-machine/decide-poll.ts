import { MINUTE, SECOND } from '../../protocol/index.ts';
import { MIN_COLLECTION } from '../lifetimes.ts';
import { type Decision, type EventInputs, refuse } from './events.ts';
import type { AssertionTimes, RegistrationFacts } from './facts.ts';
import type { Moment } from './matrix.ts';
import { grantTarget } from './target.ts';

const SLOW_DOWN_STEP = 5 * SECOND;
const MAX_INTERVAL = 60 * SECOND;
/** A poll may be this much early: clocks and networks are not exact. */
const EARLY_TOLERANCE = SECOND;

/** The claim may still come: polling goes on. */
export function pollUnstarted(
  _facts: RegistrationFacts,
  _input: EventInputs['poll'],
  { faults }: Moment,
): Decision {
  return refuse(
    'token',
    faults.has('unstartedExpired') ? 'expired_token' : 'authorization_pending',
  );
}

export function pollRevoked(
  _facts: RegistrationFacts,
  _input: EventInputs['poll'],
  { faults }: Moment,
): Decision {
  return refuse('token', faults.has('endToldAsExpiry') ? 'expired_token' : 'invalid_grant');
}

/** RFC 8628 §3.5: the interval is raised for this and all later polls. */
export function pollPending(
  { attempt }: RegistrationFacts,
  _input: EventInputs['poll'],
  { now, faults }: Moment,
): Decision {
  if (attempt === undefined) return refuse('token', 'authorization_pending');
  if (faults.has('pendingUntold')) return refuse('token', 'expired_token');
  const { lastPollAt, interval } = attempt;
  const early =
    (lastPollAt !== undefined &&
      now - lastPollAt < interval - EARLY_TOLERANCE &&
      !faults.has('noSlowDown')) ||
    faults.has('slowDownAlways');
  const longest = faults.has('intervalUncapped') ? Number.POSITIVE_INFINITY : MAX_INTERVAL;
  const raised = faults.has('intervalNotRaised')
    ? interval
    : Math.max(interval, Math.min(interval + SLOW_DOWN_STEP, longest));
  return {
    ...refuse('token', early ? 'slow_down' : 'authorization_pending'),
    effects: [{ kind: 'record_poll', at: now, interval: early ? raised : interval }],
  };
}

export function pollLapsed(
  { attempt }: RegistrationFacts,
  _input: EventInputs['poll'],
  { now, faults }: Moment,
): Decision {
  if (faults.has('expiryUntold') && attempt?.deniedAt === undefined) {
    return refuse('token', 'authorization_pending');
  }
  if (faults.has('denialWearsOff') && attempt?.deniedAt !== undefined) {
    const told = (attempt.lastPollAt ?? 0) >= attempt.deniedAt;
    return {
      ...refuse('token', told ? 'expired_token' : 'access_denied'),
      effects: [{ kind: 'record_poll', at: now, interval: attempt.interval }],
    };
  }
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
  const tooEarly = now - (facts.attempt?.lastPollAt ?? 0) < (facts.attempt?.interval ?? 0);
  if (faults.has('slowDownForTokens') && tooEarly) return refuse('token', 'slow_down');
  if (now >= deliverableUntil(facts, claimedAt, lifetimes, faults) || !standing) {
    return refuse('token', 'invalid_grant');
  }
  const scopes = faults.has('claimedScopeNarrow')
    ? facts.postClaimScopes.slice(0, 1)
    : facts.postClaimScopes;
  const granted = grantTarget(scopes, facts.resource, target);
  if (granted.kind === 'refused') return { outcome: granted, effects: [] };
  const earlier = faults.has('everyPollMints') ? undefined : delivery?.assertion;
  const lifetime = faults.has('claimedAssertionShort') ? MINUTE : lifetimes.claimedAssertion;
  const assertion: AssertionTimes = earlier ?? {
    jti: assertionJti,
    issuedAt: now,
    expiresAt: now + lifetime,
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
    effects: [
      { kind: 'deliver', at: now, assertion, token, keepsEarlier: faults.has('everyPollMints') },
    ],
  };
}

/** Until when a completed claim can be polled. */
function deliverableUntil(
  { attempt, delivery, windowEndsAt }: RegistrationFacts,
  claimedAt: number,
  lifetimes: Moment['lifetimes'],
  faults: Moment['faults'],
): number {
  if (delivery !== undefined) {
    if (faults.has('deliveredOnce')) return delivery.firstAt;
    if (faults.has('redeliveryEndless')) return Number.POSITIVE_INFINITY;
    return delivery.firstAt + lifetimes.redelivery;
  }
  if (faults.has('uncollectedLost')) return attempt?.expiresAt ?? windowEndsAt;
  if (faults.has('collectionEndsWithWindow')) return windowEndsAt;
  return Math.max(windowEndsAt, claimedAt + MIN_COLLECTION);
}
