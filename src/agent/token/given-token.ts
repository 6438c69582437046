import { displayText, isSameOrigin, withoutFinalSlash } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Credentials, ServiceRecord, Warning } from '../model.ts';
import { findServiceRecord } from '../records/select-service.ts';
import type { Tools } from '../tools.ts';

/** What a request is made with: the token of the environment, at its own service, or what is stored. */
export type TokenSource =
  | { readonly from: 'environment'; readonly value: Secret; readonly owner: Owner }
  | { readonly from: 'store'; readonly warnings: readonly Warning[] };

/** The service that the token of the environment is for, and what is stored of it. */
export interface Owner {
  readonly url: string;
  readonly record: ServiceRecord | undefined;
}

/**
 * Whether the token of the environment is used at a service. It belongs to one: the one that the store has it for,
 * else `environmentService`, else by `unownedToken`. A registration that is stored goes before a token of another service.
 * @param named the service that a request names, or the URL that it goes to; undefined: none.
 * @param isRevoking nothing is revoked at a service that only this request names.
 * @throws AgentError `call_elsewhere` where it would go to another service, `service_unknown` where none is named.
 */
export async function tokenSource(
  tools: Tools,
  named: string | undefined,
  isRevoking = false,
): Promise<TokenSource> {
  const { environmentToken: value, unownedToken } = tools;
  if (value === undefined) return FROM_STORE;
  const credentials = await tools.store.read();
  const owner = ownerOf(tools, credentials, value);
  if (owner === undefined && unownedToken === 'unused') return FROM_STORE;
  if (owner !== undefined && (named === undefined || isOf(owner, credentials, named))) {
    return { from: 'environment', value, owner };
  }
  if (named === undefined) {
    throw new AgentError('It is not clear which service the token in AGENT_AUTH_TOKEN is for.', {
      code: 'service_unknown',
      hint: 'Name the service.',
    });
  }
  const record = findServiceRecord(credentials, named);
  if (record !== undefined) return { from: 'store', warnings: [notUsed(owner, record)] };
  if (owner === undefined && unownedToken === 'named' && !isRevoking) {
    return { from: 'environment', value, owner: { url: named, record } };
  }
  if (owner !== undefined && (await namesApi(tools, owner, named))) {
    return { from: 'environment', value, owner: { url: named, record } };
  }
  throw elsewhere(owner, named);
}

const FROM_STORE: TokenSource = { from: 'store', warnings: [] };

function ownerOf(
  { environmentService }: Tools,
  credentials: Credentials,
  value: Secret,
): Owner | undefined {
  const record = credentials.services.find(({ registrations }) =>
    registrations.some(({ token }) => token?.value.reveal() === value.reveal()),
  );
  if (record !== undefined) return { url: record.resource, record };
  if (environmentService === undefined) return undefined;
  return { url: environmentService, record: findServiceRecord(credentials, environmentService) };
}

function isOf({ record, url }: Owner, credentials: Credentials, named: string): boolean {
  if (record === undefined) return isSameOrigin(url, named);
  const { issuer, resource } = record;
  if ([issuer, resource].some((own) => withoutFinalSlash(own) === withoutFinalSlash(named))) {
    return true;
  }
  const other = findServiceRecord(credentials, named);
  if (other !== undefined) return other === record;
  return isSameOrigin(resource, named) || isSameOrigin(issuer, named);
}

/** Whether the metadata of the service itself names an API at that origin. */
async function namesApi(tools: Tools, { record, url }: Owner, named: string): Promise<boolean> {
  if (record !== undefined) return false;
  const { discover } = await import('../discovery/discover.ts');
  try {
    const { service } = await discover(tools, { address: url });
    return isSameOrigin(service.resource, named) || isSameOrigin(service.issuer, named);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    // A server whose one resource is elsewhere is discovered by that resource alone.
    const { serverResource } = error.recognition ?? {};
    return error.code === 'resource_mismatch' && isSameOrigin(serverResource ?? '', named);
  }
}

function notUsed(owner: Owner | undefined, { resource }: ServiceRecord): Warning {
  const why = owner === undefined ? '' : `: it is for ${displayText(owner.url, 100)}`;
  return {
    code: 'environment_token_unused',
    message: `AGENT_AUTH_TOKEN is not used here${why}. The stored registration at ${displayText(resource, 100)} is.`,
  };
}

function elsewhere(owner: Owner | undefined, named: string): AgentError {
  const whose = owner === undefined ? 'names no service' : `is for ${displayText(owner.url, 100)}`;
  return new AgentError(
    `The token in AGENT_AUTH_TOKEN ${whose}, and is not sent to ${displayText(named, 100)}.`,
    {
      code: 'call_elsewhere',
      hint: 'Set AGENT_AUTH_SERVICE to the service that it is for, or register at the other one.',
      next: { command: 'connect', args: [named] },
    },
  );
}
