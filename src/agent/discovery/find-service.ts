import { type Recognition, recognise, type Verdict } from '../../discovery/index.ts';
import { displayText, isSameOrigin, type JsonObject } from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';
import { requirePeerUrl, requireUrl } from '../http/url-policy.ts';
import type { Service } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Hops } from './hops.ts';
import { judgeService, requireWellFormed } from './judge-service.ts';
import { readOwnMetadata } from './resource-metadata.ts';
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
export interface NamedBy {
  readonly resource: string;
  readonly name: string | undefined;
  /** Its metadata, where that was read in this discovery. */
  readonly document?: JsonObject | undefined;
}

/** What discovery found at an issuer. */
export interface FoundService {
  readonly service: Service;
  readonly recognition: Recognition;
}

/** An issuer, and who named it: a resource, the user who typed it, or nobody. */
interface NamedIssuer {
  readonly issuer: string;
  readonly by?: NamedBy | 'user';
}

/** The service of the first of several authorization servers that has `agent_auth`; else as {@link firstOf}. */
export function findService(
  tools: Tools,
  servers: readonly string[],
  namedBy: NamedBy,
  hops: Hops,
): Promise<FoundService> {
  return firstOf(tools, servers, namedBy, {
    read: (issuer) => readService(tools, { issuer, by: namedBy }, hops),
    onSkip: (issuer, { message }) => {
      if (servers.length === 1) return;
      hops.warn('server_skipped', `${displayText(issuer, 100)} is skipped. ${message}`);
    },
  });
}

/** How one of several servers is read. */
interface Reading<T> {
  readonly read: (issuer: string) => Promise<T>;
  /** Whether no further server is looked at. Default: any that can be used will do. */
  readonly isBest?: (found: T) => boolean;
  readonly onSkip?: (issuer: string, error: AgentError) => void;
}

/**
 * The first of the authorization servers of a resource that is the best, else the first that can be used.
 * @throws AgentError of the first server, when none can be used.
 */
export async function firstOf<T>(
  { policy }: Tools,
  servers: readonly string[],
  { resource }: NamedBy,
  { read, isBest = () => true, onSkip }: Reading<T>,
): Promise<T> {
  const usable: T[] = [];
  let first: unknown;
  for (const issuer of servers.slice(0, MOST_SERVERS)) {
    try {
      requirePeerUrl(policy, issuer, 'The authorization server', resource);
      const found = await read(issuer);
      if (isBest(found)) return found;
      usable.push(found);
    } catch (error) {
      if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
      first ??= error;
      onSkip?.(issuer, error);
    }
  }
  const [other] = usable;
  if (other === undefined) throw first;
  return other;
}

/**
 * The service of one issuer.
 * @throws AgentError `metadata_not_found`, `no_agent_auth`, or why it cannot be used.
 */
export async function readService(
  tools: Tools,
  { issuer, by }: NamedIssuer,
  hops: Hops,
): Promise<FoundService> {
  requireUrl(tools.policy, issuer, 'The issuer');
  const peer = peerOf(tools, issuer);
  const namedBy = by === 'user' ? undefined : by;
  if (namedBy !== undefined) peer.serves(namedBy.resource);
  const describe = (document: JsonObject) => {
    const { role, verdict } = recognise({ server: document });
    return role === 'cross_app' ? 'cross-app access alone' : LEARNT[verdict];
  };
  const question = { issuer, describe, typed: by === 'user' };
  const metadata = await readServerMetadata(peer, question, hops).catch((error) => {
    const isOther = error instanceof AgentError && ANSWERS_OF_OTHERS.includes(error.code);
    throw isOther && error.hint === undefined ? error.with({ hint: IS_SUPPORTED }) : error;
  });
  const resource = await resourceOf(tools, namedBy, metadata, hops);
  const recognition = recognise({
    server: metadata?.document,
    resource,
    resourceAt: hops.read.resourceAt,
    at: metadata?.url,
    family: tools.dialect,
  });
  if (metadata === undefined && !standsAlone(recognition, issuer, namedBy)) {
    throw new AgentError(
      `${displayText(issuer, 100)} publishes no authorization server metadata.`,
      {
        code: 'metadata_not_found',
        hint: IS_SUPPORTED,
      },
    );
  }
  // A spelling with a final slash shares the clock of the spelling without.
  if (metadata !== undefined) tools.peers.set(metadata.issuer, peer);
  const service = judge(metadata ?? { issuer }, recognition, namedBy, hops);
  tools.known.set(service.issuer, { service, readAt: tools.context.clock.now() });
  return { service, recognition };
}

/** The service that was recognised, every URL of it checked. */
function judge(
  { issuer, document }: { readonly issuer: string; readonly document?: JsonObject },
  recognition: Recognition,
  namedBy: NamedBy | undefined,
  hops: Hops,
): Service {
  const { verdict, families, endpoints } = recognition;
  const [likely, ...others] = families;
  if (verdict !== 'usable' || endpoints.register === undefined || likely === undefined) {
    throw noRegistration(issuer, recognition);
  }
  if (document !== undefined) requireWellFormed(document);
  for (const { rule, misleads, message, member } of recognition.defects) {
    if (rule === 'identity-type-unknown') hops.warn('unknown_identity_type', message);
    if (!misleads) continue;
    hops.tolerate('metadata_defect', `${member}: ${message}`);
  }
  const candidates = [likely, ...others] as const;
  const { register } = endpoints;
  const { name, resource } = namedBy ?? {};
  return judgeService(recognition, { issuer, register, candidates, resource, name }, hops);
}

/**
 * The metadata of the resource: as it was read on the way, else read now where the server's describes no
 * registration, since some describe it there.
 */
async function resourceOf(
  tools: Tools,
  namedBy: NamedBy | undefined,
  metadata: ServerMetadata | undefined,
  hops: Hops,
): Promise<JsonObject | undefined> {
  if (namedBy === undefined) return hops.read.resource;
  if (namedBy.document !== undefined) return namedBy.document;
  const isDescribed = recognise({ server: metadata?.document }).foundIn !== undefined;
  return isDescribed ? undefined : readOwnMetadata(tools, namedBy.resource, hops);
}

/**
 * Whether the metadata of a resource is enough without that of its server: it describes the registration, and
 * names a server of its own origin.
 */
function standsAlone(
  { verdict, foundIn }: Recognition,
  issuer: string,
  namedBy: NamedBy | undefined,
): boolean {
  if (verdict !== 'usable') return false;
  // Without a server in it, the metadata is of the host that the user typed.
  return namedBy === undefined ? foundIn === 'resource' : isSameOrigin(issuer, namedBy.resource);
}

const LEARNT: Readonly<Record<Verdict, string>> = {
  usable: 'agents can register here',
  choice: 'agents can register here, in one of two ways',
  published_only: 'an agent_auth block with nothing to register at',
  client_registration: 'an agent_auth block that names OAuth client registration',
  plain_oauth: 'no agent_auth block',
  not_this_protocol: 'no agent_auth block',
};

/** What a verdict ends with: the exit of a command follows from it, by the table of codes. */
export const CODE_OF_VERDICT = {
  usable: 'metadata_invalid',
  choice: 'dialect_missing',
  published_only: 'no_registration',
  client_registration: 'client_registration',
  plain_oauth: 'no_agent_auth',
  not_this_protocol: 'no_agent_auth',
} as const satisfies Readonly<Record<Verdict, AgentErrorCode>>;

/** Why agents cannot register by what was found, and what goes on from there. */
function noRegistration(issuer: string, recognition: Recognition): AgentError {
  return new AgentError(messageFor(issuer, recognition), {
    code: recognition.defects.some(({ rule }) => rule === 'agent-auth-not-an-object')
      ? 'metadata_invalid'
      : CODE_OF_VERDICT[recognition.verdict],
    hint: hintFor(recognition),
    recognition,
  });
}

function messageFor(issuer: string, { verdict, reason }: Recognition): string {
  const who = displayText(issuer, 100);
  if (verdict === 'plain_oauth' || verdict === 'not_this_protocol') {
    return `${who} offers no agent registration. ${reason}`;
  }
  if (verdict === 'published_only') return `Agents cannot register at ${who}. ${reason}`;
  return reason;
}

function hintFor({ verdict, role, offers, choices, endpoints }: Recognition): string | undefined {
  if (verdict === 'choice') {
    const named = choices.map(
      ({ family, register }) => `${family} for ${displayText(register, 100)}`,
    );
    return `Say which with --dialect: ${named.join(', ')}.`;
  }
  const skill =
    endpoints.skill === undefined
      ? ''
      : ` Its instructions for agents: ${displayText(endpoints.skill, 200)}`;
  if (verdict === 'published_only')
    return `Perhaps agents cannot register there by themselves.${skill}`;
  if (verdict === 'client_registration') {
    return `It registers OAuth clients, for which this program has no command.${skill}`;
  }
  if (role === 'provider') {
    return 'To register at a service with it: name the service, and the provider with --provider.';
  }
  if (offers.includes('token_exchange')) {
    return 'If it is an agent provider: name the service, and the provider with --provider.';
  }
  if (role === 'cross_app') {
    return `Have a client registered there, sign in at a provider that it trusts, and redeem an ID-JAG for its issuer at ${displayText(endpoints.token ?? 'its token endpoint', 200)}.${skill}`;
  }
  if (verdict !== 'plain_oauth') return undefined;
  const signIn = offers.includes('authorization_code')
    ? ' A client that signs its user in (OAuth, as MCP uses it) can use it; lint judges it as such by the profile mcp.'
    : '';
  return `Its metadata has no agent_auth block.${signIn}${skill}`;
}
