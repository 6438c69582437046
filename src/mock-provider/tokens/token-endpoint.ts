import { type Context, readForm, wireProblem } from '../../mock/index.ts';
import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from '../../protocol/index.ts';
import { requireClient, requireParameter } from '../checks/require-client.ts';
import type { Grant, ProviderContext } from '../context/provider-context.ts';
import { deviceGrant } from './device-grant.ts';
import { tokenExchangeGrant } from './token-exchange-grant.ts';

/** By `grant_type`. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([
  [DEVICE_CODE_GRANT, deviceGrant],
  [TOKEN_EXCHANGE_GRANT, tokenExchangeGrant],
]);

/** `POST /oauth2/token` (RFC 6749 §3.2): the grant is a map lookup. */
export async function token(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'provider');
  requireClient(c, form, provider);
  const grant = provider.grants.get(requireParameter(form, 'grant_type'));
  if (grant === undefined) throw wireProblem('provider', 'unsupported_grant_type');
  return grant(provider, form);
}
