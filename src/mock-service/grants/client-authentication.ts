import type { Context } from 'hono';
import { type Faults, type Form, wireProblem } from '../../mock/index.ts';
import type { ServiceFault } from '../faults/index.ts';

/** Clients are public here: a credential can only be a mistake, or meant for another server. */
export function refuseClientAuthentication(
  c: Context,
  form: Form,
  surface: 'token' | 'revocation',
  faults: Faults<ServiceFault>,
): void {
  if (faults.has('clientSecretsPassedOver')) return;
  if (form.get('client_id') !== undefined && faults.has('clientIdsRefused')) {
    throw wireProblem(surface, 'invalid_client');
  }
  const authenticates =
    c.req.header('authorization') !== undefined ||
    form.get('client_secret') !== undefined ||
    form.get('client_assertion') !== undefined;
  if (!authenticates) return;
  throw wireProblem(surface, faults.has('clientMiscalled') ? 'invalid_request' : 'invalid_client');
}
