import type { MockProviderOptions } from '../mock-provider/index.ts';
import type { MockServiceOptions } from '../mock-service/index.ts';
import type { OptionNames } from './refuse-options.ts';

/** What `createMockService` takes. */
export const SERVICE_OPTIONS: OptionNames<MockServiceOptions> = {
  ...{ acceptResourceAudience: true, algorithm: true, allowedHosts: true, baseUrl: true },
  ...{ clock: true, codeFormat: true, control: true, cors: true, db: true, dialect: true },
  ...{ delay: true, directory: true, eventBase: true, exchanges: true, faults: true, fetch: true },
  ...{ guardedFetch: true },
  ...{ identityTypes: true, keys: true, lifetimes: true, linkExisting: true, log: true },
  ...{ metadata: true, name: true, quirks: true, random: true, rateLimit: true },
  ...{ resources: true, scopes: true, trust: true, users: true, vendor: true },
  ...{ allowPublic: true, claims: true, clients: true, idJagReuse: true, jitAccounts: true },
};

/** What `createMockProvider` takes. */
export const PROVIDER_OPTIONS: OptionNames<MockProviderOptions> = {
  ...{ algorithm: true, allowedHosts: true, audiences: true, autoApprove: true, baseUrl: true },
  ...{ clientId: true, clientName: true, clock: true, control: true, cors: true, db: true },
  ...{ delay: true, exchanges: true, faults: true, fetch: true, guardedFetch: true, keys: true },
  ...{ lifetimes: true, log: true, metadata: true, name: true, random: true, sleep: true },
  ...{
    users: true,
    agentAuth: true,
    clientMapping: true,
    refuseUnmapped: true,
    clients: true,
    policy: true,
    claims: true,
    subjectType: true,
    tenant: true,
  },
};
