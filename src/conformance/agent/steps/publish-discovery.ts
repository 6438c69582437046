import { refusal } from '../agent-world.ts';
import { AUTHORIZATION_SERVER, PROTECTED_RESOURCE, type ServicePeer } from '../service-peer.ts';

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
  /** The metadata URL in the challenge. Default: an invented path. */
  readonly metadata?: string;
  /** Replaces the answer with the resource metadata. */
  readonly answer?: () => Response | Promise<Response>;
  /** Replaces the answer with the server metadata. */
  readonly serverAnswer?: () => Response | Promise<Response>;
}

/** The issuer that `publishDiscovery` gives a service. */
export function issuerOf({ places, origin }: ServicePeer): string {
  return origin + places.issuer;
}

/**
 * Publishes the documents of a service at invented paths, so that only the whole discovery finds its
 * endpoints: challenge, resource metadata, metadata of a server whose issuer has a path.
 */
export function publishDiscovery(
  service: ServicePeer,
  options: DiscoveryDocuments = {},
): ServicePeer {
  const { places, origin } = service;
  const metadata = options.metadata ?? origin + places.metadata;
  const challenge = options.challenge ?? ((url: string) => [`Bearer resource_metadata="${url}"`]);
  service.on('resource', async (_ask, next) => {
    const reply = await next();
    if (!(reply instanceof Response) || reply.status !== 401) return reply;
    const headers = new Headers(reply.headers);
    headers.delete('www-authenticate');
    for (const line of challenge(metadata)) headers.append('www-authenticate', line);
    return new Response(reply.body, { status: 401, headers });
  });
  service.on('resource_metadata', () => notFound());
  service.on('other', async ({ url }, next) =>
    url.pathname === places.metadata
      ? (options.answer?.() ?? document(resourceDocument(service), options.resource))
      : next(),
  );
  service.on('server_metadata', async ({ url }, next) => {
    if (url.pathname !== AUTHORIZATION_SERVER + places.issuer) return notFound();
    if (options.serverAnswer !== undefined) return options.serverAnswer();
    const reply = await next({ path: AUTHORIZATION_SERVER });
    if (!(reply instanceof Response)) return reply;
    const body = (await reply.json()) as { agent_auth: Members };
    const agentAuth = { ...body.agent_auth, ...options.agentAuth };
    return document({ ...body, issuer: issuerOf(service), agent_auth: agentAuth }, options.server);
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

function document(right: Members, change: Members | string | undefined): Response {
  if (typeof change !== 'string') return json(JSON.stringify({ ...right, ...change }));
  return json(change);
}

function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

export function notFound(): Response {
  return refusal(404, { error: 'not_found' });
}

export { AUTHORIZATION_SERVER, PROTECTED_RESOURCE };
