import { oauthEnvelope, registrationEnvelope } from '../../mock/http/envelopes.ts';
import { type Context, type Route, readJsonObject } from '../../mock/http/request.ts';
import { wireProblem } from '../../mock/http/response.ts';
import { buildChallenge } from '../../protocol/challenge.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import type { ServiceConfig } from '../config/config.ts';
import { mcpResource, PATHS } from '../config/paths.ts';
import { leastScopes } from '../config/scopes.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { resourceMetadata } from '../discovery/metadata.ts';
import { challengeTo } from '../resource/protected-call.ts';
import { findToken } from '../resource/resource.ts';
import type { LiveToken } from '../store/token-store.ts';
import type { McpHandler } from './mcp-tools.ts';

/** The tool that needs more scopes than the others. */
const WRITING_TOOL = 'write_note';

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
        // Who has no token at all is not read.
        await admit(service, c, leastScopes(config.scopes));
        const body = await readJsonObject(service.reader, c, 'resource');
        const caller = await admit(service, c, scopesFor(config, body));
        // With its first request: most mocks are never asked.
        handler ??= import('./mcp-tools.ts').then(({ mcpHandler }) =>
          mcpHandler(config.name, WRITING_TOOL),
        );
        return (await handler)(caller, c.req.raw, body);
      },
    },
  ];
}

/** The scopes that a call needs. */
function scopesFor({ scopes }: ServiceConfig, { method, params }: JsonObject): readonly string[] {
  const tool = method === 'tools/call' && isJsonObject(params) ? params['name'] : undefined;
  return tool === WRITING_TOOL ? scopes.postClaim : leastScopes(scopes);
}

/** @throws WireProblem whose challenge names every scope that the call needs (MCP, scope challenge handling). */
async function admit(
  service: ServiceContext,
  c: Context,
  scopes: readonly string[],
): Promise<LiveToken> {
  const url = mcpResource(service.config.issuer);
  const credentials = await service.reader.credentials(c.req.raw);
  const found = credentials?.token ? await findToken(service, credentials.token) : undefined;
  // One for the base covers this URL, and is not meant for it.
  const call = { url, scopes, credentials, token: found?.resource === url ? found : undefined };
  const verdict = service.decisions.judgeCall(call);
  if (typeof verdict !== 'string') return verdict;
  const challenge = buildChallenge('Bearer', {
    ...challengeTo(call, verdict),
    scope: scopes.join(' ') || undefined,
  });
  throw wireProblem('resource', verdict, { headers: { 'www-authenticate': challenge } });
}
