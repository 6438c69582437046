import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { clientAt, publicClient } from '../clients/client-at.ts';
import { reachResourceServer } from '../discovery/resource-server.ts';
import type { WireRequest } from '../http/peer.ts';
import type { CrossAppAccess, Service } from '../model.ts';
import type { Tools } from '../tools.ts';

/** RFC 7009 §2.1: a client revokes its own tokens, and authenticates as it does at the token endpoint. */
export async function clientRevocation(
  tools: Tools,
  { issuer, name, resource }: Service,
  access: CrossAppAccess,
  token: Secret,
): Promise<WireRequest> {
  const record = { issuer, resource, name: name ?? null, clockOffset: 0 };
  const { revocation } = await reachResourceServer(tools, record);
  if (revocation === undefined) {
    throw new AgentError('The service has no revocation endpoint.', { code: 'not_offered' });
  }
  const client =
    clientAt(tools, await tools.store.read(), issuer) ?? publicClient(issuer, access.clientId);
  const parameters = { token: token.reveal(), token_type_hint: 'access_token' };
  return clientRequest(tools, revocation, client, parameters);
}
