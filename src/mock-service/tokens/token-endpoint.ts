import { type Context, readForm } from '../../mock/http/request.ts';
import { invalidRequest, json, wireProblem } from '../../mock/http/response.ts';
import { JWT_BEARER_GRANT } from '../../protocol/constants.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { Outcome } from '../claim-machine/events.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ClaimGrantWire, ServiceDialect } from '../dialects/dialect.ts';
import { isFromProvider, isOwn, noteRefusal, redeemIdJag } from '../redemption/redeem.ts';
import type { RedemptionParts } from '../redemption/redemption-parts.ts';
import { whyUntrusted } from '../redemption/why-refused.ts';
import { isActive } from '../store/token-store.ts';
import { readTarget } from '../token-request/target.ts';
import { tokenAnswer } from '../token-request/token-answer.ts';
import { refuseClientAuthentication } from './client-authentication.ts';
import type { Grant, Grants, TokenParts } from './grant.ts';

/** The grants of a service that speaks this dialect. */
export function grantsOf({ claimGrant: wire }: ServiceDialect): (config: ServiceConfig) => Grants {
  const polled = wire && claimGrant(wire);
  return (config) =>
    new Map([
      [JWT_BEARER_GRANT, jwtBearerGrant],
      ...(polled ? wire.types(config).map((type) => [type, polled] as const) : []),
    ]);
}

/** `POST /oauth2/token` (RFC 6749 §3.2, wire contract §6): the grant is a map lookup. */
export function tokenEndpoint(
  service: TokenParts & RedemptionParts,
): (c: Context) => Promise<Response> {
  const grants = service.decisions.grants(service.config);
  return async (c) => {
    const form = await readForm(service.reader, c, 'token');
    const grantType = form.get('grant_type');
    const assertion = form.get('assertion');
    const isOwnAssertion = assertion !== undefined && isOwn(service.config, assertion);
    const isOfClient =
      grantType === JWT_BEARER_GRANT && service.config.redeemsIdJags && !isOwnAssertion;
    if (isOfClient && assertion !== undefined && isFromProvider(service, assertion)) {
      return redeemIdJag(service, c, form, assertion);
    }
    if (isOfClient && assertion !== undefined && decodeJwt(assertion) !== undefined) {
      noteRefusal(service, c, whyUntrusted(assertion, service.trust));
    }
    // Whoever authenticates means an ID-JAG: what is wrong is the assertion, or that there is none.
    if (!isOfClient) refuseClientAuthentication(service, c, form, 'token');
    if (grantType === undefined) throw invalidRequest('token', 'grant_type is missing.');
    const grant = grants.get(grantType);
    if (grant === undefined) throw wireProblem('token', 'unsupported_grant_type');
    return grant(service, form);
  };
}

/** RFC 7523 §2.1 with the service's own assertion: every exchange looks at the registration. */
const jwtBearerGrant: Grant = async (service, form) => {
  const { assertions, registrations, secrets } = service;
  const assertion = form.get('assertion');
  if (assertion === undefined) throw invalidRequest('token', 'assertion is missing.');
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
  return json(answerOf(service, accessToken, outcome));
};

/** The claim grant: polled until the user has completed the claim (wire contract §6, §8). */
function claimGrant(wire: ClaimGrantWire): Grant {
  return async (service, form) => {
    const { assertions, random, registrations, secrets } = service;
    const claimToken = form.get('claim_token');
    if (claimToken === undefined) throw invalidRequest('token', 'claim_token is missing.');
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
    const more = wire.members({ jwt, expiresAt });
    return json({ ...answerOf(service, accessToken, outcome), ...more });
  };
}

function answerOf(
  { clock }: TokenParts,
  accessToken: string,
  { expiresAt, scopes }: Extract<Outcome, { kind: 'token' }>,
) {
  return tokenAnswer({ accessToken, lifetime: expiresAt - clock.now(), scopes });
}
