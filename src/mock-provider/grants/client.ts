import type { Context } from 'hono';
import { type Form, wireProblem } from '../../mock/index.ts';
import type { ProviderConfig } from '../options.ts';

/** The one public client. It has no secret, so one that is sent belongs somewhere else. */
export function requireClient(c: Context, form: Form, { clientId }: ProviderConfig): void {
  const authenticates =
    c.req.header('authorization') !== undefined ||
    form.get('client_secret') !== undefined ||
    form.get('client_assertion') !== undefined;
  if (authenticates) {
    throw wireProblem('provider', 'invalid_client', {
      description: 'Clients do not authenticate here.',
    });
  }
  if (requireParameter(form, 'client_id') !== clientId) {
    throw wireProblem('provider', 'invalid_client');
  }
}

/** A parameter that the request must have. */
export function requireParameter(form: Form, name: string): string {
  const value = form.get(name);
  if (value !== undefined) return value;
  throw wireProblem('provider', 'invalid_request', { description: `${name} is missing.` });
}
