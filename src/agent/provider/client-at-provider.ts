import { clientAt, publicClient } from '../clients/client-at.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Credentials, KeptClient, ProviderSession } from '../model.ts';
import type { Tools } from '../tools.ts';

/**
 * The client that users sign in to at a provider: the one that is kept for it, else a public one of this id.
 * @param clientId by its id there. Default: `agent-auth`.
 */
export function clientAtProvider(
  tools: Tools,
  credentials: Credentials,
  provider: string,
  clientId = AGENT_CLIENT_ID,
): KeptClient {
  return clientAt(tools, credentials, provider) ?? publicClient(provider, clientId);
}

/** Whether a session is that of this client. */
export function isOfClient(session: ProviderSession, clientId: string): boolean {
  return (session.clientId ?? AGENT_CLIENT_ID) === clientId;
}
