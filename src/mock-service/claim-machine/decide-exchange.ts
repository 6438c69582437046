import { type Decision, type EventInputs, refuse } from './events.ts';
import type { RegistrationFacts } from './facts.ts';
import type { Moment } from './matrix.ts';
import { grantTarget } from './target.ts';

/** Before a claim only an anonymous registration has something to exchange. */
export function exchangeUnclaimed(
  facts: RegistrationFacts,
  input: EventInputs['exchange'],
  moment: Moment,
): Decision {
  const { faults } = moment;
  const exchangeable = facts.type === 'anonymous' || faults.has('assertionBeforeClaim');
  if (!exchangeable || faults.has('anonymousNotExchanged')) return refuse('token', 'invalid_grant');
  const wide =
    faults.has('preClaimScopeWide') ||
    facts.type !== 'anonymous' ||
    (faults.has('inFlightScopeWide') && facts.attempt !== undefined) ||
    (faults.has('scopeEscalates') && input.target.scopes !== undefined);
  const scopes = wide ? facts.postClaimScopes : facts.preClaimScopes;
  return issue(facts, scopes, facts.windowEndsAt, input, moment);
}

export function exchange(
  facts: RegistrationFacts,
  input: EventInputs['exchange'],
  moment: Moment,
): Decision {
  if (moment.faults.has('claimedEndsWithWindow') && moment.now >= facts.windowEndsAt) {
    return refuse('token', 'invalid_grant');
  }
  return issue(facts, facts.postClaimScopes, Number.POSITIVE_INFINITY, input, moment);
}

function issue(
  facts: RegistrationFacts,
  scopes: readonly string[],
  registrationEndsAt: number,
  { tokenHash, assertionJti, version, standing, target }: EventInputs['exchange'],
  { now, lifetimes, faults }: Moment,
): Decision {
  // The version says whether a claim has superseded the assertion (wire.md §3).
  const superseded = version !== facts.version && !faults.has('oldAssertionLives');
  if (superseded || !standing) return refuse('token', 'invalid_grant');
  const granted = grantTarget(scopes, facts.resource, target);
  if (granted.kind === 'refused') return { outcome: granted, effects: [] };
  const expiresAt = Math.min(now + lifetimes.accessToken, registrationEndsAt);
  const { resource } = granted;
  const token = { hash: tokenHash, scopes: granted.scopes, resource, expiresAt, assertionJti };
  return {
    outcome: { kind: 'token', scopes: granted.scopes, resource, expiresAt },
    effects: [{ kind: 'issue_token', token }],
  };
}
