import { type Context, readForm } from '../../mock/http/request.ts';
import { wireProblem } from '../../mock/http/response.ts';
import {
  AUTHORIZATION_CODE_GRANT,
  DEVICE_CODE_GRANT,
  REFRESH_TOKEN_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/constants.ts';
import { requireParameter } from '../checks/require-agent.ts';
import { PATHS } from '../config/paths.ts';
import type { Grant, ProviderContext } from '../context/provider-context.ts';
import { identifyClient } from './identify-client.ts';
import { codeGrant, deviceGrant, refreshGrant } from './sign-in-grants.ts';
import { tokenExchangeGrant } from './token-exchange-grant.ts';

/** The grants by `grant_type`. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([
  [AUTHORIZATION_CODE_GRANT, codeGrant],
  [REFRESH_TOKEN_GRANT, refreshGrant],
  [DEVICE_CODE_GRANT, deviceGrant],
  [TOKEN_EXCHANGE_GRANT, tokenExchangeGrant],
]);

/** `POST /oauth2/token` (RFC 6749 §3.2): the grant is a map lookup. */
export async function token(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'provider');
  const client = await identifyClient(provider, c, form, { path: PATHS.token });
  if (c.req.header('dpop') !== undefined) throw wireProblem('provider', 'invalid_dpop_proof');
  const grant = provider.grants.get(requireParameter(form, 'grant_type'));
  if (grant === undefined) throw wireProblem('provider', 'unsupported_grant_type');
  return grant(provider, form, client);
}
