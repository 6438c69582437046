import type { ProviderClientOptions } from '../../../mock-provider/clients/provider-client.ts';
import { DEFAULT_LIFETIMES, KEY_FETCH_LIMIT } from '../../../mock-service/config/lifetimes.ts';
import { SERVICE_FAULT_NAMES } from '../../../mock-service/faults/index.ts';
import { createMockService } from '../../../mock-service/mock-service.ts';
import { resolveOptions } from '../../../mock-service/options.ts';
import { limitFetch } from '../../../runtime/system-limit-fetch.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import { later } from './later.ts';
import {
  allowedHosts,
  given,
  isAnswerRule,
  type MockOptions,
  pickFaults,
  pickLifetimes,
  spokenOptions,
  trustedIssuers,
} from './mock-options.ts';
import { checkOptions, type MockRole } from './mock-role.ts';
import { readAccess } from './service-access.ts';

export const SERVICE: MockRole = {
  name: 'service',
  title: ({ serviceName }) => serviceName ?? 'Example Service',
  defaultPort: SERVICE_PORT,
  lifetimes: Object.keys(DEFAULT_LIFETIMES),
  faults: SERVICE_FAULT_NAMES,
  prepare: async (options, lifetimes) => {
    const trusted = trustedIssuers(options);
    const own = serviceOptions(options, lifetimes);
    const baseUrl = options.baseUrl ?? `http://127.0.0.1:${SERVICE_PORT}`;
    await checkOptions(() => resolveOptions({ ...own, baseUrl, trust: trusted }));
    const { claimScope, remarks, resources, scopes } = readAccess(options);
    return {
      remarks,
      claimScope,
      create: async ({ context, tls, peer, given }) =>
        createMockService({
          ...own,
          ...given,
          fetch: limitFetch(await context.fetch(tls?.trusted), KEY_FETCH_LIMIT),
          guardedFetch: (guard) =>
            limitFetch(
              later(() => context.fetch(tls?.trusted, guard)),
              KEY_FETCH_LIMIT,
            ),
          trust: peer === undefined ? trusted : [peer, ...trusted],
          scopes,
          ...(resources && { resources }),
        }),
    };
  },
};

function serviceOptions(options: MockOptions, lifetimes: ReadonlyMap<string, number>) {
  const { serviceName: name, type } = options;
  const faults = pickFaults(options, SERVICE_FAULT_NAMES);
  return {
    ...given(options, 'users', 'codeFormat', 'eventBase', 'algorithm', 'vendor', 'directory'),
    ...given(options, 'linkExisting', 'allowPublic', 'idJagReuse', 'jitAccounts', 'cors'),
    ...(name !== undefined && { name }),
    lifetimes: pickLifetimes(lifetimes, DEFAULT_LIFETIMES),
    rateLimit: options.rateLimit === true,
    acceptResourceAudience: options.acceptResourceAudience === true,
    ...spokenOptions(options),
    ...(type !== undefined && { identityTypes: type }),
    ...(options.client && { clients: options.client.map(withoutRedirects) }),
    ...(options.claims && { claims: options.claims.filter(isAnswerRule) }),
    ...(options.allowHost && { allowedHosts: allowedHosts(options) }),
    ...(faults && { faults }),
  };
}

/** Nobody signs in at a service by redirect, or is asked there. */
function withoutRedirects({ consent: _, redirectUris: _uris, ...client }: ProviderClientOptions) {
  return client;
}
