import { recognise } from '../../discovery/index.ts';
import {
  displayText,
  displayWord,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  type JsonObject,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { authenticationOf, type ClientParty, namesIn } from '../clients/authenticate.ts';
import { requireEndpoint, requireUrl } from '../http/url-policy.ts';
import type { Discovery, Service, ServiceRecord } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import { findResourceMetadata, identifierOf } from './discover.ts';
import { firstOf, type NamedBy } from './find-service.ts';
import { Hops } from './hops.ts';
import { requireWellFormed } from './judge-service.ts';
import { readServerMetadata, type ServerMetadata } from './server-metadata.ts';

/** A server that redeems ID-JAGs, for one resource. */
export interface ResourceServer extends ClientParty {
  readonly service: Service;
  /** What a first token is for: what the challenge asks for, else what the metadata of the resource lists. */
  readonly scopes: readonly string[];
  readonly revocation: ClientParty | undefined;
}

/** What a discovery found. */
export interface FoundServer {
  readonly server: ResourceServer;
  readonly discovery: Discovery;
  /** How the URL that was given asked for a token; `undefined`: it did not. */
  readonly challenged: 'GET' | 'POST' | undefined;
}

/** The resource, as it spells itself: what is asked for is compared with it as text. */
interface NamedResource extends NamedBy {
  readonly scopes: readonly string[];
}

/**
 * The server whose tokens a URL takes, by the metadata of both (RFC 9728, RFC 8414). Of several the first that says that
 * it redeems ID-JAGs.
 * @throws AgentError as `discover`; `no_cross_app` where none has a token endpoint.
 */
export async function findResourceServer(tools: Tools, address: string): Promise<FoundServer> {
  const hops = new Hops(tools);
  try {
    requireUrl(tools.policy, address, 'The URL');
    const metadata = await findResourceMetadata(tools, { address }, hops);
    const { scope } = hops.read;
    const named: NamedResource = {
      resource: metadata?.resource ?? identifierOf(address),
      name: metadata?.resource_name && displayText(metadata.resource_name, 80),
      scopes: scope?.split(' ') ?? metadata?.scopes_supported ?? [],
      document: metadata?.document,
    };
    const servers = metadata?.authorization_servers ?? [named.resource];
    const isTyped = metadata === undefined;
    const { document, server, url } = await firstOf(tools, servers, named, {
      read: async (issuer) => {
        const found = await readServer(tools, issuer, { hops, isTyped });
        return { ...found, server: serverOf(tools, found, named) };
      },
      isBest: (found) => isListed(found.document),
    });
    const recognition = recognise({
      ...{ server: document, resource: named.document, resourceAt: hops.read.resourceAt, at: url },
    });
    if (!isListed(document)) {
      hops.warn(
        'profile_not_listed',
        `${displayText(server.issuer, 100)} does not say that it redeems ID-JAGs (authorization_grant_profiles_supported).`,
      );
    }
    const asked = hops.list.find(({ step, status }) => step === 'challenge' && status === 401);
    return {
      server,
      discovery: {
        service: server.service,
        recognition,
        hops: hops.list,
        warnings: hops.warnings,
      },
      challenged: asked && (asked.method ?? 'GET'),
    };
  } catch (error) {
    throw error instanceof AgentError ? error.with({ hops: hops.list }) : error;
  }
}

interface Looking {
  readonly hops: Hops;
  /** A user typed the URL, and nothing names another. */
  readonly isTyped: boolean;
}

/**
 * The server of an access that is kept, as it is now.
 * @throws AgentError as {@link findResourceServer}.
 */
export async function reachResourceServer(
  tools: Tools,
  { clockOffset, issuer, name, resource }: Omit<ServiceRecord, 'current' | 'registrations'>,
): Promise<ResourceServer> {
  peerOf(tools, issuer, clockOffset);
  const looking = { hops: new Hops(tools), isTyped: false };
  const metadata = await readServer(tools, issuer, looking);
  return serverOf(tools, metadata, { resource, name: name ?? undefined, scopes: [] });
}

/** Secrets go to whoever these documents name: a server that calls itself otherwise is none (RFC 8414 §3.3). */
async function readServer(
  tools: Tools,
  issuer: string,
  { hops, isTyped }: Looking,
): Promise<ServerMetadata> {
  const who = displayText(issuer, 100);
  const peer = peerOf(tools, issuer);
  const describe = (document: JsonObject) =>
    isListed(document) ? 'it redeems ID-JAGs' : 'it does not say that it redeems ID-JAGs';
  const metadata = await readServerMetadata(peer, { issuer, typed: isTyped, describe }, hops);
  if (metadata === undefined) {
    throw new AgentError(`${who} publishes no authorization server metadata.`, {
      code: 'metadata_not_found',
      hint: 'Check the URL.',
    });
  }
  if (metadata.document['issuer'] !== issuer && !isTyped) {
    throw new AgentError(
      `The authorization server metadata is of ${displayWord(metadata.issuer, 100)}, not of ${who}: nothing is sent there.`,
      {
        code: 'issuer_mismatch',
        hint: 'Both spell it the same, down to a final slash (RFC 8414 §3.3).',
      },
    );
  }
  tools.peers.set(metadata.issuer, peer);
  return metadata;
}

function isListed(document: JsonObject): boolean {
  const profiles = namesIn(document, 'authorization_grant_profiles_supported') ?? [];
  return profiles.includes(ID_JAG_GRANT_PROFILE);
}

function serverOf(
  { policy }: Tools,
  { document, issuer }: ServerMetadata,
  { name, resource, scopes }: NamedResource,
): ResourceServer {
  requireWellFormed(document);
  const { token_endpoint: token, revocation_endpoint: revocation } = document;
  if (typeof token !== 'string') {
    throw new AgentError(`${displayText(issuer, 100)} names no token endpoint.`, {
      code: 'no_cross_app',
    });
  }
  const party = {
    issuer,
    tokenEndpoint: requireEndpoint(policy, issuer, token, 'The token endpoint'),
    ...authenticationOf(document),
  };
  const revocationEndpoint =
    typeof revocation === 'string'
      ? requireEndpoint(policy, issuer, revocation, 'The revocation endpoint')
      : undefined;
  const methods = namesIn(document, 'revocation_endpoint_auth_methods_supported');
  return {
    ...party,
    scopes,
    revocation:
      revocationEndpoint === undefined
        ? undefined
        : {
            ...party,
            tokenEndpoint: revocationEndpoint,
            // What is open to agents that register is not so to clients (RFC 7009 §2.1).
            authMethods: methods?.some((method) => method !== 'none') ? methods : party.authMethods,
          },
    service: {
      issuer,
      resource,
      name,
      identityEndpoint: '',
      claimEndpoint: undefined,
      tokenEndpoint: party.tokenEndpoint,
      revocationEndpoint,
      eventsEndpoint: undefined,
      skill: undefined,
      identityTypes: [],
      assertionTypes: [ID_JAG_TOKEN_TYPE],
      scopes,
      claimGrantType: undefined,
      candidates: ['flat'],
    },
  };
}
