import { DEFAULT_PROVIDER_LIFETIMES } from '../../../mock-provider/config/lifetimes.ts';
import { PROVIDER_FAULT_NAMES } from '../../../mock-provider/faults/index.ts';
import { createMockProvider } from '../../../mock-provider/mock-provider.ts';
import { resolveOptions } from '../../../mock-provider/options.ts';
import { PROVIDER_PORT } from '../../shell/mock-ports.ts';
import {
  allowedHosts,
  audiences,
  given,
  isAnswerRule,
  type MockOptions,
  pickFaults,
  pickLifetimes,
} from './mock-options.ts';
import { checkOptions, later, type MockRole } from './mock-role.ts';

export const PROVIDER: MockRole = {
  name: 'provider',
  title: ({ providerName }) => providerName ?? 'Example Provider',
  defaultPort: PROVIDER_PORT,
  lifetimes: Object.keys(DEFAULT_PROVIDER_LIFETIMES),
  faults: PROVIDER_FAULT_NAMES,
  prepare: async (options, lifetimes) => {
    const listed = audiences(options);
    // The only services that it mints for. None: it mints for any.
    const known = listed.length === 0 ? ('any' as const) : listed;
    const own = providerOptions(options, lifetimes);
    const baseUrl = options.baseUrl ?? `http://127.0.0.1:${PROVIDER_PORT}`;
    await checkOptions(() => resolveOptions({ ...own, baseUrl, audiences: known }));
    return {
      remarks: [],
      create: async ({ context, tls, peer, given }) =>
        createMockProvider({
          ...own,
          ...given,
          fetch: await context.fetch(tls?.trusted),
          guardedFetch: (guard) => later(() => context.fetch(tls?.trusted, guard)),
          sleep: context.world.sleep,
          audiences: peer === undefined ? known : [peer, ...(known === 'any' ? [known] : known)],
        }),
    };
  },
};

function providerOptions(options: MockOptions, lifetimes: ReadonlyMap<string, number>) {
  const { providerName: name } = options;
  const faults = pickFaults(options, PROVIDER_FAULT_NAMES);
  return {
    ...given(options, 'users', 'clientId', 'clientName', 'autoApprove', 'agentAuth', 'policy'),
    ...given(options, 'subjectType', 'tenant', 'clientMapping', 'refuseUnmapped', 'cors'),
    ...(name !== undefined && { name }),
    lifetimes: pickLifetimes(lifetimes, DEFAULT_PROVIDER_LIFETIMES),
    // What verifiers take that were told nothing.
    algorithm: options.algorithm ?? 'RS256',
    ...(options.client && { clients: options.client }),
    ...(options.claims && { claims: options.claims.filter((rule) => !isAnswerRule(rule)) }),
    ...(options.allowHost && { allowedHosts: allowedHosts(options) }),
    ...(faults && { faults }),
  };
}
