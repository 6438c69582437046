import type { Context } from 'hono';
import { type Form, json, readForm, wireProblem } from '../../mock/index.ts';
import { JWT_BEARER_GRANT } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { claimGrantTypes } from '../metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import { claimGrant } from './claim-grant.ts';
import { refuseClientAuthentication } from './client-authentication.ts';
import { jwtBearerGrant } from './jwt-bearer-grant.ts';

export type Grant = (service: ServiceContext, form: Form) => Promise<Response>;

/** `POST /oauth2/token` (RFC 6749 §3.2, wire.md §6): the grant is a map lookup. */
export function tokenEndpoint(service: ServiceContext): (c: Context) => Promise<Response> {
  const grants: ReadonlyMap<string, Grant> = new Map([
    [JWT_BEARER_GRANT, jwtBearerGrant],
    ...claimGrantTypes(service.config).map((type) => [type, claimGrant] as const),
  ]);
  return async (c) => {
    const form = await readForm(c, 'token');
    refuseClientAuthentication(c, form, 'token', service.faults);
    const grantType = form.get('grant_type');
    if (
      form.get('x-of-the-agent') !== undefined &&
      service.faults.has('unknownParametersRefused')
    ) {
      throw wireProblem('token', 'invalid_request');
    }
    if (grantType === undefined) {
      const code = service.faults.has('missingMiscalled')
        ? 'unsupported_grant_type'
        : 'invalid_request';
      throw wireProblem('token', code, { description: 'grant_type is missing.' });
    }
    const grant = grants.get(grantType);
    if (grantType === 'client_credentials' && service.faults.has('appCredentialsTaken')) {
      return json({ access_token: randomToken(service.random, 'at_'), token_type: 'Bearer' });
    }
    if (grant === undefined) {
      const code = service.faults.has('grantCodeWrong')
        ? 'invalid_request'
        : 'unsupported_grant_type';
      throw wireProblem('token', code);
    }
    return grant(service, form);
  };
}
