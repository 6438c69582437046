import type { Log } from '../../runtime/ports.ts';
import type { Form } from '../http/request.ts';
import { wireProblem } from '../http/response.ts';
import { note } from '../traffic/recording.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientRules,
} from './authenticate-client.ts';
import { presentedClient } from './presented-client.ts';

/** The logs that say already that any client is taken. */
const told = new WeakSet<Log>();

const UNENCODED = {
  taken: 'as it was sent',
  expected: 'an id and a secret that are form-encoded before Base64 (RFC 6749 §2.3.1)',
};

/**
 * The client of a request to an endpoint where clients authenticate.
 * @throws WireProblem `invalid_client`, or `invalid_request` for more than one way to authenticate.
 */
export async function requireKnownClient(
  request: Request,
  form: Form,
  surface: 'provider' | 'token',
  rules: ClientRules,
): Promise<AuthenticatedClient> {
  const presented = presentedClient(request, form);
  const client = await authenticateClient(presented, rules);
  const { clients, log } = rules;
  if ('id' in client) {
    if (clients.length === 0 && !told.has(log)) {
      told.add(log);
      log.info('clients.open', { taken: 'any: none is configured', first: client.id });
    }
    if (client.isRaw) note(request, log, 'client.unencoded', UNENCODED);
    return client;
  }
  note(request, log, 'client.refused', { ...client, presented: presented.by });
  throw wireProblem(surface, client.code, {
    description:
      client.code === 'invalid_client'
        ? 'The client is unknown, or did not authenticate.'
        : 'The client authenticates in more than one way.',
  });
}
