import { refusal } from '../agent-world.ts';
import { AUTHORIZATION_SERVER, PROTECTED_RESOURCE, type ServicePeer } from '../service-peer.ts';

type Members = Readonly<Record<string, unknown>>;

export interface LayOut {
  /** Merged over the metadata of the resource; or the whole text of it. */
  readonly resource?: Members | string;
  /** Merged over the metadata of the server; or the whole text of it. */
  readonly server?: Members | string;
  /** Merged over `agent_auth`. */
  readonly agentAuth?: Members;
  /** The lines of `WWW-Authenticate`, for the address of the metadata. */
  readonly challenge?: (metadata: string) => readonly string[];
  /** Where the challenge leads. Default: a place that no rule derives. */
  readonly metadata?: string;
  /** Answers in place of the metadata of the resource. */
  readonly answer?: () => Response | Promise<Response>;
  readonly serverAnswer?: () => Response | Promise<Response>;
}

/** The issuer of a service that was laid out. */
export function issuerOf({ laidOut, origin }: ServicePeer): string {
  return origin + laidOut.issuer;
}

/**
 * Lays a service out so that one way alone leads to its endpoints: challenge, metadata of the resource,
 * metadata of the server whose issuer has a path. Who registers has walked it.
 */
export function layOut(service: ServicePeer, options: LayOut = {}): ServicePeer {
  const { laidOut, origin } = service;
  const metadata = options.metadata ?? origin + laidOut.metadata;
  const challenge =
    options.challenge ?? ((address: string) => [`Bearer resource_metadata="${address}"`]);
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
    url.pathname === laidOut.metadata
      ? (options.answer?.() ?? document(resourceDocument(service), options.resource))
      : next(),
  );
  service.on('server_metadata', async ({ url }, next) => {
    if (url.pathname !== AUTHORIZATION_SERVER + laidOut.issuer) return notFound();
    if (options.serverAnswer !== undefined) return options.serverAnswer();
    const reply = await next({ path: AUTHORIZATION_SERVER });
    if (!(reply instanceof Response)) return reply;
    const body = (await reply.json()) as { agent_auth: Members };
    const agentAuth = { ...body.agent_auth, ...options.agentAuth };
    return document({ ...body, issuer: issuerOf(service), agent_auth: agentAuth }, options.server);
  });
  return service;
}

/** The metadata of the resource, as it should be. */
export function resourceDocument(service: ServicePeer): Members {
  return {
    resource: service.resource,
    resource_name: service.laidOut.name,
    authorization_servers: [issuerOf(service)],
    scopes_supported: ['api.read', 'api.write'],
    bearer_methods_supported: ['header'],
  };
}

function document(right: Members, change: Members | string | undefined): Response {
  if (typeof change !== 'string') return json(JSON.stringify({ ...right, ...change }));
  return json(change);
}

export function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

export function notFound(): Response {
  return refusal(404, { error: 'not_found' });
}

export { AUTHORIZATION_SERVER, PROTECTED_RESOURCE };
