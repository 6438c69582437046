import { type Faults, wireProblem } from '../../mock/index.ts';
import { instant } from '../../protocol/index.ts';
import { randomToken, sha256 } from '../../runtime/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import { refusalProblem } from '../refusal.ts';
import { isStanding } from '../store/token-store.ts';
import type { Grant } from './index.ts';
import { readTarget } from './target.ts';
import { tokenResponse } from './token-response.ts';

/** The claim grant: polled until the user has completed the claim (wire.md §6, §8). */
export const claimGrant: Grant = async (service, form) => {
  const { assertions, faults, random, registrations } = service;
  const claimToken = form.get('claim_token');
  if (claimToken === undefined) {
    if (faults.has('claimTokenOptional')) throw wireProblem('token', 'expired_token');
    throw wireProblem('token', 'invalid_request', { description: 'claim_token is missing.' });
  }
  const target = readTarget(form, service);
  const accessToken = randomToken(random, 'at_');
  const assertionJti = randomToken(random, 'ia_');
  const decided = await registrations.decide(
    'poll',
    { by: 'claim_token_hash', value: sha256(claimToken) },
    'agent',
    async (facts, tx) => ({
      tokenHash: sha256(accessToken),
      assertionJti,
      standing: await isStanding(tx, facts, facts.delivery?.assertion.jti),
      target,
    }),
  );
  if (decided === undefined) {
    const code = faults.has('unknownTokenPends') ? 'authorization_pending' : 'expired_token';
    throw wireProblem('token', code);
  }
  const { facts, outcome } = decided;
  if (outcome.kind !== 'token' || outcome.assertion === undefined) throw refusalProblem(outcome);
  return tokenResponse(service, accessToken, outcome, {
    identity_assertion: await assertions.sign(signed(facts, faults), outcome.assertion),
    assertion_expires: instant(outcome.assertion.expiresAt),
  });
};

/** By a fault: signed with a version that the claim has superseded. */
function signed(facts: RegistrationFacts, faults: Faults<ServiceFault>): RegistrationFacts {
  if (!faults.has('deliversStaleAssertion')) return facts;
  return { ...facts, version: facts.version - 1 };
}
