import type { AgentTask } from '../agent-task.ts';
import { type AgentWorld, type ObservedRun, refusal } from '../agent-world.ts';
import type { ControlStep } from '../control-runs.ts';
import { isResponse, type Reply } from '../peer.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { AUTHORIZATION_SERVER, PROTECTED_RESOURCE, type ServicePeer } from '../service-peer.ts';
import { need } from './traffic.ts';

type Members = Readonly<Record<string, unknown>>;

export interface DiscoveryDocuments {
  /** Members that replace those of the resource metadata; or its whole text. */
  readonly resource?: Members | string;
  /** Members that replace those of the server metadata; or its whole text. */
  readonly server?: Members | string;
  /** Members that replace those of `agent_auth`. */
  readonly agentAuth?: Members;
  /** The lines of `WWW-Authenticate`, from the URL of the resource metadata. */
  readonly challenge?: (metadata: string) => readonly string[];
  /** The metadata URL in the challenge. Default: by the place. */
  readonly metadata?: string;
  /** Replaces the answer with the resource metadata. */
  readonly answer?: () => Reply | Promise<Reply>;
  /** Replaces the answer with the server metadata. */
  readonly serverAnswer?: () => Reply | Promise<Reply>;
}

/** Where the service is an MCP server. */
const MCP = '/mcp';

/** The issuer that `publishDiscovery` gives a service. */
export function issuerOf({ places, origin }: ServicePeer): string {
  return origin + places.issuer;
}

/** Publishes the documents of a service at its places: challenge, resource metadata, metadata of its server. */
export function publishDiscovery(
  service: ServicePeer,
  options: DiscoveryDocuments = {},
): ServicePeer {
  const { places, origin } = service;
  const metadata = options.metadata ?? origin + places.metadata;
  const challenge = options.challenge ?? ((url: string) => [`Bearer resource_metadata="${url}"`]);
  service.on('resource', async ({ url }, next) => {
    const reply = await next();
    if (!isResponse(reply) || reply.status !== 401 || url.pathname === MCP) return reply;
    const headers = new Headers(reply.headers);
    headers.delete('www-authenticate');
    for (const line of challenge(metadata)) headers.append('www-authenticate', line);
    return new Response(reply.body, { status: 401, headers });
  });
  service.on(['resource_metadata', 'other'], ({ kind, url }, next) => {
    const { pathname } = url;
    const isBase = places.isWellKnown && pathname === PROTECTED_RESOURCE;
    // A resource of its own, which has documents of its own.
    if (pathname === PROTECTED_RESOURCE + MCP) return next();
    if (pathname !== places.metadata && !isBase) {
      return kind === 'resource_metadata' ? notFound() : next();
    }
    const right = resourceDocument(service);
    // The document at the origin is that of the origin (RFC 9728 §3.3).
    const own = isBase ? { ...right, resource: origin } : right;
    return options.answer?.() ?? document(own, options.resource);
  });
  service.on('server_metadata', async ({ url }) => {
    if (url.pathname !== AUTHORIZATION_SERVER + places.issuer) return notFound();
    if (options.serverAnswer !== undefined) return options.serverAnswer();
    const right = await serverDocument(service);
    const agentAuth = { ...(right['agent_auth'] as Members), ...options.agentAuth };
    return document({ ...right, agent_auth: agentAuth }, options.server);
  });
  return service;
}

/** Correct metadata of the resource. */
export function resourceDocument(service: ServicePeer): Members {
  return {
    resource: service.resource,
    resource_name: service.places.name,
    authorization_servers: [issuerOf(service)],
    scopes_supported: ['api.read', 'api.write'],
    bearer_methods_supported: ['header'],
  };
}

/** Correct metadata of the server: that of the mock, by the issuer of `publishDiscovery`. */
async function serverDocument(service: ServicePeer): Promise<Members> {
  const reply = await service.mock.fetch(new Request(service.origin + AUTHORIZATION_SERVER));
  const issuer = issuerOf(service);
  return { ...((await reply.json()) as Members), issuer, authorization_servers: [issuer] };
}

/** The requests that were answered with a document of `publishDiscovery`, whatever was in it. */
export function fetchedDocuments(
  service: ServicePeer,
  which: 'resource' | 'server',
): readonly ReceivedRequest[] {
  const { places } = service;
  const paths =
    which === 'server'
      ? [AUTHORIZATION_SERVER + places.issuer]
      : [places.metadata, ...(places.isWellKnown ? [PROTECTED_RESOURCE] : [])];
  return service.requests().filter(({ url }) => paths.includes(url.pathname));
}

function document(right: Members, change: Members | string | undefined): Response {
  if (typeof change !== 'string') return json(JSON.stringify({ ...right, ...change }));
  return json(change);
}

function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

function notFound(): Response {
  return refusal(404, { error: 'not_found' });
}

export { AUTHORIZATION_SERVER, PROTECTED_RESOURCE };

interface RunAt {
  /** How far the agent has to get by right documents. Default: `registration`. */
  readonly until?: ControlStep;
  /** The hostile document: without it, there was nothing to refuse. */
  readonly fetched?: 'resource' | 'server';
  readonly task?: AgentTask;
}

/**
 * Runs the agent, in fresh folders, at a service with these documents. They are where this agent finds right ones.
 * @throws CannotTest when it finds those nowhere, or did not fetch these.
 */
export async function runAt(
  world: AgentWorld,
  documents: (service: ServicePeer) => DiscoveryDocuments | Promise<DiscoveryDocuments>,
  { until = 'registration', fetched, task = 'call' }: RunAt = {},
): Promise<{ readonly service: ServicePeer; readonly run: ObservedRun }> {
  const place = await world.controls.place(until);
  await world.harness.forget();
  const service = await world.service();
  service.move(place);
  publishDiscovery(service, await documents(service));
  const run = await world.run(task, { service });
  const isFetched = fetched === undefined || fetchedDocuments(service, fetched).length > 0;
  need(isFetched, `The agent did not fetch the metadata of the ${fetched}`, run);
  return { service, run };
}
