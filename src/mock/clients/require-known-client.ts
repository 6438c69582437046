import type { Form } from '../http/form.ts';
import { wireProblem } from '../http/problems.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientRules,
} from './authenticate-client.ts';
import { presentedClient } from './presented-client.ts';

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
  const client = await authenticateClient(presentedClient(request, form), rules);
  if (typeof client !== 'string') return client;
  throw wireProblem(surface, client, {
    description:
      client === 'invalid_client'
        ? 'The client is unknown, or did not authenticate.'
        : 'The client authenticates in more than one way.',
  });
}
