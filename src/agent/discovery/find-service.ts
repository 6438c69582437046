import { displayText, type JsonObject, TOKEN_EXCHANGE_GRANT } from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';
import { decodeService, type ServiceDraft } from '../dialects/index.ts';
import { requirePeerUrl, requireUrl } from '../http/url-policy.ts';
import type { Service } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Hops } from './hops.ts';
import { judgeService } from './judge-service.ts';
import { readServerMetadata, type ServerMetadata } from './server-metadata.ts';

/** More entries than this are not looked at: a resource must not make the agent walk a list. */
const MOST_SERVERS = 5;

const IS_SUPPORTED = 'Check the URL, and whether this service supports agent registration.';

/** What a web site answers where agents cannot register. */
const ANSWERS_OF_OTHERS: readonly AgentErrorCode[] = [
  'bad_answer',
  'answer_too_large',
  'metadata_invalid',
  'redirected',
];

/** The resource through which a server was named. */
interface NamedBy {
  readonly resource: string;
  readonly name: string | undefined;
}

/** An issuer, and who named it: a resource, the user who typed it, or nobody. */
interface NamedIssuer {
  readonly issuer: string;
  readonly by?: NamedBy | 'user';
}

/**
 * The service of the first of several authorization servers that has `agent_auth`.
 * @throws AgentError of the first server, when none can be used.
 */
export async function findService(
  tools: Tools,
  servers: readonly string[],
  namedBy: NamedBy,
  hops: Hops,
  signal?: AbortSignal,
): Promise<Service> {
  let first: unknown;
  for (const issuer of servers.slice(0, MOST_SERVERS)) {
    try {
      requirePeerUrl(issuer, 'The authorization server', namedBy.resource);
      return await readService(tools, { issuer, by: namedBy }, hops, signal);
    } catch (error) {
      if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
      first ??= error;
      if (servers.length > 1) {
        hops.warn('server_skipped', `${displayText(issuer, 100)} is skipped. ${error.message}`);
      }
    }
  }
  throw first;
}

/**
 * The service of one issuer.
 * @throws AgentError `metadata_not_found`, `no_agent_auth`, or why it cannot be used.
 */
export async function readService(
  tools: Tools,
  { issuer, by }: NamedIssuer,
  hops: Hops,
  signal?: AbortSignal,
): Promise<Service> {
  requireUrl(issuer, 'The issuer');
  const peer = peerOf(tools, issuer);
  if (by !== 'user' && by !== undefined) peer.serves(by.resource);
  const question = { issuer, describe, typed: by === 'user' };
  const metadata = await readServerMetadata(peer, question, hops, signal).catch((error) => {
    const isOther = error instanceof AgentError && ANSWERS_OF_OTHERS.includes(error.code);
    throw isOther && error.hint === undefined ? error.with({ hint: IS_SUPPORTED }) : error;
  });
  if (metadata === undefined) {
    throw new AgentError(
      `${displayText(issuer, 100)} publishes no authorization server metadata.`,
      {
        code: 'metadata_not_found',
        hint: IS_SUPPORTED,
      },
    );
  }
  // A spelling with a final slash shares the clock of the spelling without.
  tools.peers.set(metadata.issuer, peer);
  const draft = readDraft(metadata);
  const namedBy = by === 'user' ? undefined : by;
  const service = judgeService(
    tools.policy,
    {
      issuer: metadata.issuer,
      candidates: ['flat'],
      draft,
      resource: namedBy?.resource,
      name: namedBy?.name,
    },
    hops,
  );
  tools.known.set(service.issuer, { service, readAt: tools.context.clock.now() });
  return service;
}

function readDraft({ issuer, document }: ServerMetadata): ServiceDraft {
  const draft = decodeService(document);
  if (draft !== undefined) return draft;
  const grants = document['grant_types_supported'];
  const isProvider = Array.isArray(grants) && grants.includes(TOKEN_EXCHANGE_GRANT);
  throw new AgentError(`${displayText(issuer, 100)} offers no agent registration.`, {
    code: 'no_agent_auth',
    hint: isProvider
      ? 'It is an agent provider. Name the service, and the provider with --provider.'
      : 'Its metadata has no agent_auth block.',
  });
}

function describe(document: JsonObject): string {
  return decodeService(document) === undefined ? 'no agent_auth block' : 'agents can register here';
}
