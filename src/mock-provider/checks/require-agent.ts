import type { Context, Form } from '../../mock/http/request.ts';
import { invalidRequest } from '../../mock/http/response.ts';
import type { ProviderConfig } from '../config/config.ts';
import { type Check, requireAll } from './check.ts';

export interface ClientFacts {
  /** The request carries a client secret or a client assertion. */
  readonly authenticates: boolean;
  /** The `client_id` of the request. */
  readonly given: string | undefined;
  readonly clientId: string;
}

/** Checks of the client, a public one, in their order. */
export const CLIENT_CHECKS: readonly Check<ClientFacts>[] = [
  {
    name: 'public',
    description: 'The request carries no client credential: the client is public.',
    check: ({ authenticates }) =>
      authenticates
        ? { code: 'invalid_client', description: 'Client authentication is not supported here.' }
        : undefined,
  },
  {
    name: 'given',
    description: '`client_id` is present.',
    check: ({ given }) =>
      given === undefined
        ? { code: 'invalid_request', description: 'client_id is missing.' }
        : undefined,
  },
  {
    name: 'client',
    description: '`client_id` is the client of this provider.',
    check: ({ clientId, given }) => (given === clientId ? undefined : { code: 'invalid_client' }),
  },
];

/** What the client of a request is judged by. */
interface ClientParts {
  readonly config: Pick<ProviderConfig, 'clientId'>;
  readonly decisions: { readonly clientChecks: typeof CLIENT_CHECKS };
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
  throw invalidRequest('provider', `${name} is missing.`);
}
