import type { AuthenticatedClient } from '../../mock/clients/authenticate-client.ts';
import { requireKnownClient } from '../../mock/clients/require-known-client.ts';
import type { Context, Form } from '../../mock/http/request.ts';
import type { WireProblem } from '../../mock/http/response.ts';
import { requireAgent } from '../checks/require-agent.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** An endpoint where clients say who they are. */
interface ClientEndpoint {
  readonly path: string;
  /** Why it does not take any client where none is configured. Left out: it does. */
  readonly refuseAny?: () => WireProblem;
}

/**
 * The client of a request to an endpoint: the agent, which is public and asks its user for each service, or one that
 * policy decides about.
 * @throws WireProblem `invalid_client`, or `invalid_request` for more than one way to authenticate.
 */
export async function identifyClient(
  provider: ProviderContext,
  c: Context,
  form: Form,
  { path, refuseAny }: ClientEndpoint,
): Promise<AuthenticatedClient> {
  const { clock, codes, config, log } = provider;
  const id = form.get('client_id');
  // An agent that forgot its id is told so, unless this is a provider for other clients.
  const isForgetful = id === undefined && c.req.header('authorization') === undefined;
  const takesAny = config.clients.length === 0;
  if (isAgent(provider, id) || (isForgetful && config.agentAuth && takesAny)) {
    requireAgent(c, form, provider);
    return { id: config.clientId };
  }
  if (takesAny && refuseAny !== undefined) throw refuseAny();
  return requireKnownClient(c.req.raw, form, 'provider', {
    clients: config.clients,
    // Without configured ones it is open: the page of the sign-in shows who asks.
    allowPublic: true,
    audiences: [config.issuer, config.issuer + PATHS.token, config.issuer + path],
    clock,
    log,
    spend: (assertion) => codes.spend(assertion),
  });
}

/** Whether that is the provider's own public client, which agentic registration is for. */
export function isAgent(
  { config }: Pick<ProviderContext, 'config'>,
  clientId: string | undefined,
): boolean {
  return config.agentAuth && clientId === config.clientId;
}
