import type { ProviderClientOptions } from '../../../mock-provider/clients/provider-client.ts';
import { describesItself, type ResourceMethod } from '../../../mock-service/config/config.ts';
import { DEFAULT_LIFETIMES, KEY_FETCH_LIMIT } from '../../../mock-service/config/lifetimes.ts';
import {
  type ResourceOptions,
  readResource,
  resourceKey,
} from '../../../mock-service/config/resource.ts';
import {
  resolveScopes,
  type ScopeOptions,
  splitScopes,
} from '../../../mock-service/config/scopes.ts';
import { SERVICE_FAULT_NAMES } from '../../../mock-service/faults/index.ts';
import { createMockService } from '../../../mock-service/mock-service.ts';
import { resolveOptions } from '../../../mock-service/options.ts';
import { limitFetch } from '../../../runtime/system-limit-fetch.ts';
import { usageError } from '../../shell/cli-error.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import {
  allowedHosts,
  dialectOptions,
  given,
  isAnswerRule,
  type MockOptions,
  pickFaults,
  pickLifetimes,
  trustedIssuers,
} from './mock-options.ts';
import { checkOptions, later, type MockRole } from './mock-role.ts';

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
    ...dialectOptions(options),
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

/** What a mock service protects, by which scopes. */
interface ServiceAccess {
  readonly scopes: ScopeOptions;
  /** Undefined: the specification's. */
  readonly resources: readonly ResourceOptions[] | undefined;
  /** What the mock leaves out for them, as sentences. */
  readonly remarks: readonly string[];
  /** What only a claim gives; undefined when it adds nothing. */
  readonly claimScope: string | undefined;
}

/** The options that set the scopes, for somebody who typed them. */
const NAMES = { preClaim: '--pre-claim-scopes', postClaim: '--post-claim-scopes' } as const;

const UNDESCRIBED = 'A resource is at /openapi.json, so the mock does not describe itself there.';

/**
 * The scopes and the resources of all options. They add up: of the same calls `--protect` has the word
 * before the configuration file.
 * @throws CliError (usage) that names the option and the value.
 */
export function readAccess(options: MockOptions): ServiceAccess {
  const lists = { preClaim: options.preClaimScopes, postClaim: options.postClaimScopes };
  const scopes = {
    ...(lists.preClaim !== undefined && { preClaim: scopeList(lists.preClaim) }),
    ...(lists.postClaim !== undefined && { postClaim: scopeList(lists.postClaim) }),
  };
  const resources = unite(readProtected(options.protect ?? []), options.resources ?? []);
  const read = resources.map(readResource).filter((each) => typeof each !== 'string');
  try {
    const { preClaim, postClaim } = resolveScopes(
      scopes,
      read.length === 0 ? undefined : read,
      NAMES,
    );
    return {
      scopes,
      resources: resources.length === 0 ? undefined : resources,
      remarks: describesItself({ resources: read }) ? [] : [UNDESCRIBED],
      claimScope: postClaim.find((scope) => !preClaim.includes(scope)),
    };
  } catch (error) {
    throw error instanceof TypeError ? usageError(error.message, { cause: error }) : error;
  }
}

function scopeList(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? splitScopes(given, /[\s,]+/) : given;
}

/** `METHOD PATH=SCOPE`; without `=SCOPE` any token will do. */
function readProtected(options: readonly string[]): readonly ResourceOptions[] {
  const seen = new Set<string>();
  return options.map((option) => {
    const wrong = (why: string) => usageError(`--protect ${JSON.stringify(option)}: ${why}.`);
    const [, method, path, scope] = /^\s*([A-Za-z]+)\s+([^\s=]+)(?:=(.*))?$/.exec(option) ?? [];
    if (method === undefined || path === undefined) {
      throw wrong('write it as METHOD PATH=SCOPE, for example "GET /v1/orders=orders.read"');
    }
    const given: ResourceOptions = {
      path,
      method: method.toUpperCase() as ResourceMethod,
      ...(scope !== undefined && { scope: scopeList(scope).join(' ') }),
    };
    const resource = readResource(given);
    if (typeof resource === 'string') throw wrong(resource);
    if (seen.has(resourceKey(resource))) throw wrong('it is there twice');
    seen.add(resourceKey(resource));
    return given;
  });
}

/** The lists as one: of the same calls the first list has the word. */
function unite(...lists: readonly (readonly ResourceOptions[])[]): readonly ResourceOptions[] {
  const byKey = new Map<string, ResourceOptions>();
  for (const given of lists.flat()) {
    const resource = readResource(given);
    if (typeof resource === 'string') continue;
    const key = resourceKey(resource);
    if (!byKey.has(key)) byKey.set(key, given);
  }
  return [...byKey.values()];
}
