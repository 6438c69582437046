import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { readForm } from '../../mock/http/reading.ts';
import { JWT_BEARER_GRANT } from '../../protocol/constants.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import { isFromProvider, isOwn, noteRefusal, redeemIdJag } from '../redemption/redeem.ts';
import type { RedemptionParts } from '../redemption/redemption-parts.ts';
import { whyUntrusted } from '../redemption/why-refused.ts';
import { claimGrant } from './claim-grant.ts';
import { refuseClientAuthentication } from './client-authentication.ts';
import type { Grants, TokenParts } from './grant.ts';
import { jwtBearerGrant } from './jwt-bearer-grant.ts';

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
  const grants = service.grants(service.config);
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
    if (grantType === undefined) {
      throw wireProblem('token', 'invalid_request', { description: 'grant_type is missing.' });
    }
    const grant = grants.get(grantType);
    if (grant === undefined) throw wireProblem('token', 'unsupported_grant_type');
    return grant(service, form);
  };
}
