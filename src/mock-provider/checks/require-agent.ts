import type { Context } from '../../mock/http/context.ts';
import type { Form } from '../../mock/http/form.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import type { ProviderConfig } from '../config/config.ts';
import { type Check, requireAll } from './check.ts';
import type { ClientFacts } from './client-checks.ts';

/** What the client of a request is judged by. */
interface ClientParts {
  readonly config: Pick<ProviderConfig, 'clientId'>;
  readonly decisions: { readonly clientChecks: readonly Check<ClientFacts>[] };
}

/** @throws WireProblem unless the request is of the agent, which is a public client. */
export function requireAgent(c: Context, form: Form, { config, decisions }: ClientParts): void {
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
