import { json, wireProblem } from '../../mock/index.ts';
import { refusalProblem } from '../refusal.ts';
import { tokenHash } from '../store/token-hash.ts';
import { isStanding } from '../store/token-store.ts';
import type { Grant } from './index.ts';
import { mintAccessToken } from './mint-access-token.ts';
import { readTarget } from './target.ts';
import { tokenResponse } from './token-response.ts';

/** RFC 7523 §2.1 with the service's own assertion: every exchange looks at the registration. */
export const jwtBearerGrant: Grant = async (service, form) => {
  const { assertions, faults, registrations } = service;
  const assertion = form.get('assertion');
  if (assertion === undefined) {
    const code = faults.has('missingMiscalled') ? 'invalid_grant' : 'invalid_request';
    throw wireProblem('token', code, { description: 'assertion is missing.' });
  }
  const target = readTarget(form, service);
  const claims = await assertions.verify(
    faults.has('firstAssertionTaken') ? firstOf(assertion) : assertion,
  );
  if (claims === undefined && faults.has('tokensAsAssertions')) {
    const known = await service.tokens.find(tokenHash(assertion, faults));
    if (known !== undefined) {
      return json({ access_token: assertion, token_type: 'Bearer' });
    }
  }
  if (claims === undefined) {
    throw wireProblem(
      'token',
      faults.has('assertionMiscalled') ? 'invalid_request' : 'invalid_grant',
    );
  }

  const accessToken = await mintAccessToken(service);
  const decided = await registrations.decide(
    'exchange',
    { by: 'id', value: claims.sub },
    'agent',
    async (facts, tx) => ({
      tokenHash: tokenHash(accessToken, faults),
      assertionJti: claims.jti,
      version: claims.ver,
      standing: await isStanding(tx, facts, claims.jti),
      target,
    }),
  );
  if (decided === undefined) throw wireProblem('token', 'invalid_grant');
  const { outcome } = decided;
  if (outcome.kind !== 'token') throw refusalProblem(outcome);
  if (faults.has('unknownScopesGiven')) {
    const scopes = form.get('scope')?.split(' ') ?? outcome.scopes;
    return tokenResponse(service, accessToken, { ...outcome, scopes });
  }
  return tokenResponse(service, accessToken, outcome);
};

/** Of several, or out of the JSON serialisation. */
function firstOf(assertion: string): string {
  if (!assertion.startsWith('{')) return assertion.split(/[ ,]/)[0] ?? '';
  const jws = JSON.parse(assertion) as JwsInJson;
  const { protected: header, signature } = jws.signatures?.[0] ?? jws;
  return `${header}.${jws.payload}.${signature}`;
}

interface JwsInJson {
  readonly payload: string;
  readonly protected?: string;
  readonly signature?: string;
  readonly signatures?: readonly { readonly protected: string; readonly signature: string }[];
}
