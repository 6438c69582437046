import type { Context } from 'hono';
import { type Form, wireProblem } from '../../mock/index.ts';
import { DEVICE_CODE_GRANT, JWT_BEARER_GRANT, TOKEN_EXCHANGE_GRANT } from '../../protocol/index.ts';
import type { ProviderContext } from '../provider-context.ts';
import { requireClient, requireParameter } from './client.ts';
import { deviceGrant } from './device-grant.ts';
import { readTokenForm } from './read-token-form.ts';
import { tokenExchangeGrant } from './token-exchange-grant.ts';
import { tradeGrant } from './trade-grant.ts';

export type Grant = (provider: ProviderContext, form: Form) => Promise<Response>;

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  [DEVICE_CODE_GRANT, deviceGrant],
  [TOKEN_EXCHANGE_GRANT, tokenExchangeGrant],
]);

/** `POST /oauth2/token` (RFC 6749 §3.2): the grant is a map lookup. */
export async function token(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readTokenForm(provider, c);
  if (!provider.faults.has('foreignClientServed')) requireClient(c, form, provider.config);
  const type = requireParameter(form, 'grant_type');
  const traded = type === JWT_BEARER_GRANT && provider.faults.has('idJagTraded');
  const grant = traded ? tradeGrant : GRANTS.get(type);
  if (grant === undefined) throw wireProblem('provider', 'unsupported_grant_type');
  return grant(provider, form);
}
