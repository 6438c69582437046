import { type Context, type Form, wireProblem } from '../../mock/index.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { requireAll } from './check.ts';

/** @throws WireProblem unless the request is of the one client. */
export function requireClient(
  c: Context,
  form: Form,
  { config, decisions }: Pick<ProviderContext, 'config' | 'decisions'>,
): void {
  requireAll(decisions.clientChecks, {
    authenticates:
      c.req.header('authorization') !== undefined ||
      form.get('client_secret') !== undefined ||
      form.get('client_assertion') !== undefined,
    given: form.get('client_id'),
    clientId: config.clientId,
  });
}

/** A parameter that the request must have. */
export function requireParameter(form: Form, name: string): string {
  const value = form.get(name);
  if (value !== undefined) return value;
  throw wireProblem('provider', 'invalid_request', { description: `${name} is missing.` });
}
