import {
  type AuthenticatedClient,
  authenticateClient,
} from '../../mock/clients/authenticate-client.ts';
import { presentedClient } from '../../mock/clients/presented-client.ts';
import type { Context } from '../../mock/http/context.ts';
import type { Form } from '../../mock/http/form.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { requireClient } from '../checks/require-client.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/**
 * The client of a request to the token endpoint: the agent, which is public and asks its user for each service, or one
 * that policy decides about.
 * @throws WireProblem `invalid_client`, or `invalid_request` for more than one way to authenticate.
 */
export async function identifyClient(
  provider: ProviderContext,
  c: Context,
  form: Form,
): Promise<AuthenticatedClient> {
  const { clock, codes, config } = provider;
  const presented = presentedClient(c.req.raw, form);
  if (isAgent(provider, form.get('client_id')) || presented.by === 'nothing') {
    requireClient(c, form, provider);
    return { id: config.clientId, method: 'none' };
  }
  const client = await authenticateClient(presented, {
    clients: config.clients,
    // Without configured ones it is open: the page of the sign-in shows who asks.
    allowPublic: true,
    audiences: [config.issuer, config.issuer + PATHS.token],
    clock,
    spendJti: (id, jti, until) => codes.spendAssertion(id, jti, until),
  });
  if (typeof client !== 'string') return client;
  throw wireProblem('provider', client, {
    description:
      client === 'invalid_client'
        ? 'The client is unknown, or did not authenticate.'
        : 'The client authenticates in more than one way.',
  });
}

/** Whether that is the provider's own public client, which agentic registration is for. */
export function isAgent(
  { config }: Pick<ProviderContext, 'config'>,
  clientId: string | undefined,
): boolean {
  return config.agentAuth && clientId === config.clientId;
}
