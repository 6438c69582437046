import type { MockProviderOptions } from '../create-mock-provider.ts';
import type { MockServiceOptions } from '../create-mock-service.ts';
import type { TestWorldOptions } from './world-options.ts';

type OfClients = Pick<TestWorldOptions, 'clientMapping' | 'clients' | 'policy'>;

/** What the provider is given of the clients of the world, and what it was given itself. */
export function providerOptions<Own extends Partial<MockProviderOptions>>(
  { clientMapping, clients, policy }: OfClients,
  own: Own | undefined,
) {
  return {
    ...(clientMapping && { clientMapping }),
    ...(clients && { clients }),
    ...(policy && { policy }),
    ...own,
  };
}

/** The same of the service: it knows a client by the id that the provider maps to for it, and redirects nobody. */
export function serviceOptions<Own extends Partial<MockServiceOptions>>(
  { clientMapping = [], clients }: OfClients,
  issuer: string,
  own: Own | undefined,
) {
  const known = clients?.map(({ consent: _, redirectUris: _provider, ...client }) => {
    const there = clientMapping.find(
      (mapping) => mapping.client === client.id && mapping.audience === issuer,
    );
    return { ...client, id: there?.id ?? client.id };
  });
  return { ...(known && { clients: known }), ...own };
}
