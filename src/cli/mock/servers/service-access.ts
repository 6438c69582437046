import { describesItself } from '../../../mock-service/config/config.ts';
import {
  type ResourceMethod,
  type ResourceOptions,
  readResource,
  resourceKey,
} from '../../../mock-service/config/resource.ts';
import {
  resolveScopes,
  type ScopeOptions,
  splitScopes,
} from '../../../mock-service/config/scopes.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { MockOptions } from './mock-options.ts';

/** What a mock service protects, by which scopes. */
export interface ServiceAccess {
  readonly scopes: ScopeOptions;
  /** Undefined: the specification's. */
  readonly resources: readonly ResourceOptions[] | undefined;
  /** What the mock leaves out for them, as sentences. */
  readonly remarks: readonly string[];
  /** What only a claim gives; undefined when it adds nothing. */
  readonly claimScope: string | undefined;
}

/** As somebody reads them who typed them. */
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

/** Of the same calls the first list has the word. */
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
