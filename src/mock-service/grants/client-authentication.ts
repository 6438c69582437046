import type { Context } from 'hono';
import { type Form, wireProblem } from '../../mock/index.ts';

/** Clients are public here: a credential can only be a mistake, or meant for another server. */
export function refuseClientAuthentication(
  c: Context,
  form: Form,
  surface: 'token' | 'revocation',
): void {
  const authenticates =
    c.req.header('authorization') !== undefined ||
    form.get('client_secret') !== undefined ||
    form.get('client_assertion') !== undefined;
  if (authenticates) throw wireProblem(surface, 'invalid_client');
}
