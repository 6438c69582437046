import { wireProblem } from '../../mock/http/problems.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ClaimGrantWire } from '../dialects/dialect.ts';
import { isActive } from '../store/token-store.ts';
import { readTarget } from '../token-request/target.ts';
import { type Grant, tokenResponse } from './grant.ts';

/** The claim grant: polled until the user has completed the claim (wire contract §6, §8). */
export function claimGrant(wire: ClaimGrantWire): Grant {
  return async (service, form) => {
    const { assertions, random, registrations, secrets } = service;
    const claimToken = form.get('claim_token');
    if (claimToken === undefined) {
      throw wireProblem('token', 'invalid_request', { description: 'claim_token is missing.' });
    }
    const target = readTarget(service, form);
    const accessToken = secrets.accessToken();
    const assertionJti = randomToken(random, 'ia_');
    const decided = await registrations.decide(
      'poll',
      { by: 'claim_token_hash', value: sha256(claimToken) },
      'agent',
      async (facts, tx) => ({
        // Computed when a token is issued: most polls issue none.
        get tokenHash() {
          return sha256(accessToken);
        },
        assertionJti,
        active: await isActive(tx, facts, facts.delivery?.assertion.jti),
        target,
      }),
    );
    if (decided === undefined) throw wireProblem('token', 'expired_token');
    const { facts, outcome } = decided;
    if (outcome.kind !== 'token' || outcome.assertion === undefined) throw refusalProblem(outcome);
    const jwt = await assertions.sign(facts, outcome.assertion);
    const { expiresAt } = outcome.assertion;
    return tokenResponse(service, accessToken, outcome, wire.members({ jwt, expiresAt }));
  };
}
