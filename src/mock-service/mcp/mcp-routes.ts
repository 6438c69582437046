import type { Context } from '../../mock/http/context.ts';
import { oauthEnvelope, registrationEnvelope } from '../../mock/http/envelopes.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { readJsonObject } from '../../mock/http/reading.ts';
import type { Route } from '../../mock/http/route.ts';
import { buildChallenge } from '../../protocol/challenge.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { PROTECTED_RESOURCE_PATH, protectedResourceMetadataUrl } from '../../protocol/urls.ts';
import { mcpResource, PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { resourceMetadata } from '../discovery/metadata.ts';
import { findToken } from '../resource/resource.ts';
import type { LiveToken } from '../store/token-store.ts';
import type { McpHandler } from './mcp-tools.ts';
import { WRITING_TOOL } from './writing-tool.ts';

/**
 * `/mcp`: an MCP server (streamable HTTP) that is a resource of its own, with metadata of its own (RFC 9728 §3.1). A
 * token for the base does not open it.
 */
export function mcpRoutes(service: ServiceContext): readonly Route[] {
  const { config, dialect } = service;
  const resource = mcpResource(config.issuer);
  const open = { envelope: registrationEnvelope, crossOrigin: true } as const;
  let handler: Promise<McpHandler> | undefined;
  return [
    {
      ...open,
      method: 'GET',
      path: PROTECTED_RESOURCE_PATH + PATHS.mcp,
      handle: () => resourceMetadata(config, dialect, resource),
    },
    {
      method: 'POST',
      path: PATHS.mcp,
      envelope: oauthEnvelope,
      crossOrigin: true,
      handle: async (c) => {
        const caller = await admit(service, c, resource);
        const body = await readJsonObject(service.reader, c, 'resource');
        requireScopes(service, caller, body, resource);
        // With its first request: most mocks are never asked.
        handler ??= import('./mcp-tools.ts').then(({ mcpHandler }) => mcpHandler(config.name));
        return (await handler)(caller, c.req.raw, body);
      },
    },
  ];
}

async function admit(service: ServiceContext, c: Context, resource: string): Promise<LiveToken> {
  const credentials = await service.credentials(c.req.raw);
  const token = credentials?.token ? await findToken(service, credentials.token) : undefined;
  if (token?.resource === resource) return token;
  const code = credentials === undefined ? 'missing_token' : 'invalid_token';
  throw refusal(code, resource, leastScopes(service));
}

/** @throws WireProblem `insufficient_scope` that names every scope that the call needs (MCP, scope challenge handling). */
function requireScopes(
  service: ServiceContext,
  { scopes }: LiveToken,
  body: JsonObject,
  resource: string,
): void {
  const { method, params } = body;
  const tool = method === 'tools/call' && isJsonObject(params) ? params['name'] : undefined;
  const needed = tool === WRITING_TOOL ? service.config.scopes.postClaim : leastScopes(service);
  if (needed.every((scope) => scopes.includes(scope))) return;
  throw refusal('insufficient_scope', resource, needed);
}

/** What the tools need that only read. */
function leastScopes({ config }: ServiceContext): readonly string[] {
  const { postClaim, preClaim } = config.scopes;
  return preClaim.length > 0 ? preClaim : postClaim.slice(0, 1);
}

function refusal(
  code: 'missing_token' | 'invalid_token' | 'insufficient_scope',
  resource: string,
  scopes: readonly string[],
) {
  const challenge = buildChallenge('Bearer', {
    resource_metadata: protectedResourceMetadataUrl(resource),
    error: code === 'missing_token' ? undefined : code,
    scope: scopes.length > 0 ? scopes.join(' ') : undefined,
  });
  return wireProblem('resource', code, { headers: { 'www-authenticate': challenge } });
}
