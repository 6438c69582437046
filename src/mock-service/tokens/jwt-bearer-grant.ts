import { wireProblem } from '../../mock/http/problems.ts';
import { sha256 } from '../../runtime/hash.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import { isActive } from '../store/token-store.ts';
import { readTarget } from '../token-request/target.ts';
import { type Grant, tokenResponse } from './grant.ts';

/** RFC 7523 §2.1 with the service's own assertion: every exchange looks at the registration. */
export const jwtBearerGrant: Grant = async (service, form) => {
  const { assertions, registrations, secrets } = service;
  const assertion = form.get('assertion');
  if (assertion === undefined) {
    throw wireProblem('token', 'invalid_request', { description: 'assertion is missing.' });
  }
  const target = readTarget(service, form);
  const claims = await assertions.verify(assertion);
  if (claims === undefined) throw wireProblem('token', 'invalid_grant');

  const accessToken = secrets.accessToken();
  const decided = await registrations.decide(
    'exchange',
    { by: 'id', value: claims.sub },
    'agent',
    async (facts, tx) => ({
      tokenHash: sha256(accessToken),
      assertionJti: claims.jti,
      version: claims.ver,
      active: await isActive(tx, facts, claims.jti),
      target,
    }),
  );
  if (decided === undefined) throw wireProblem('token', 'invalid_grant');
  const { outcome } = decided;
  if (outcome.kind !== 'token') throw refusalProblem(outcome);
  return tokenResponse(service, accessToken, outcome);
};
