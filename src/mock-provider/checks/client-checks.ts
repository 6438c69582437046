import type { Check } from './check.ts';

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
