import { withoutFinalSlash } from '../../protocol/index.ts';
import type { GivenClient, KeptClient } from '../client-model.ts';
import { putClient } from '../credentials/change-credentials.ts';
import { clientOf } from '../given-client.ts';
import type { Credentials } from '../model.ts';
import type { Tools } from '../tools.ts';

/** The client that one server knows: as the agent was made with, else as it is kept. */
export function clientAt(
  tools: Pick<Tools, 'clients'>,
  { clients = [] }: Credentials,
  issuer: string,
): KeptClient | undefined {
  const isMeant = (one: KeptClient) => withoutFinalSlash(one.issuer) === withoutFinalSlash(issuer);
  const found = tools.clients.find(isMeant) ?? clients.find(isMeant);
  return found && { ...found, issuer };
}

/**
 * Keeps what was given for one server. An id alone leaves the secret that is kept with it.
 * @returns the client; `undefined` where none was given.
 */
export async function keepClient(
  tools: Tools,
  issuer: string,
  given: GivenClient | undefined,
): Promise<KeptClient | undefined> {
  if (given === undefined) return undefined;
  const client = clientOf(issuer, given);
  const known = clientAt(tools, await tools.store.read(), issuer);
  const isBare = client.secret === null && client.key === null;
  if (isBare && known?.clientId === client.clientId) return known;
  await tools.store.update((current) => [putClient(current, client), undefined]);
  return client;
}

/** A client without credentials: what anybody may say. */
export function publicClient(issuer: string, clientId: string): KeptClient {
  return { issuer, clientId, secret: null, key: null };
}
