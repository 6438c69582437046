import { CLIENT_ID, isClientId } from '../protocol/index.ts';
import { Secret } from '../runtime/index.ts';
import { AgentError } from './agent-error.ts';
import type { GivenClient, KeptClient } from './client-model.ts';

/** What the agent calls itself at a provider where it has no other id: a public client (wire contract §9). */
export const AGENT_CLIENT_ID = 'agent-auth';

/** What a server knows a client by, as it was given. @throws AgentError `bad_client`. */
export function clientOf(issuer: string, { id, secret, key }: GivenClient): KeptClient {
  if (!isClientId(id)) {
    throw new AgentError(`That is no client id: it has to be ${CLIENT_ID}.`, {
      code: 'bad_client',
    });
  }
  return { issuer, clientId: id, secret: secretOf(secret), key: secretOf(key) };
}

/** @throws AgentError `bad_client`. */
function secretOf(given: Secret | string | undefined): Secret | null {
  if (given === undefined) return null;
  const secret = typeof given === 'string' ? new Secret(given) : given;
  if (secret.reveal().trim() !== '') return secret;
  throw new AgentError('The secret or key of the client is empty.', { code: 'bad_client' });
}
