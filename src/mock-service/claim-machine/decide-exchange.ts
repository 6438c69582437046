import { type Decision, type EventInputs, refuse } from './events.ts';
import { NEVER, type RegistrationFacts } from './facts.ts';
import type { Decide, DecisionContext } from './machine.ts';
import { grantTarget } from './target.ts';

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
