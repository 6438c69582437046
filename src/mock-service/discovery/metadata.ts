import { withMembers } from '../../mock/config/document-members.ts';
import type { Context } from '../../mock/http/request.ts';
import { publicReply, transportProblem } from '../../mock/http/response.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { MetadataConfig, ServiceDialect } from '../dialects/dialect.ts';

/**
 * The resource's path in the URL of its metadata (RFC 9728 §3.1), character for character as it was
 * sent: the document's `resource` must equal it.
 * @throws WireProblem `not_found` for another spelling of the well-known path itself.
 */
export function insertedPath(c: Context): string {
  const { pathname } = new URL(c.req.url);
  if (!pathname.startsWith(`${PROTECTED_RESOURCE_PATH}/`)) throw transportProblem('not_found');
  return pathname.slice(PROTECTED_RESOURCE_PATH.length);
}

/** `GET /.well-known/oauth-protected-resource[/path]` (RFC 9728 §2) for the base or a protected path. */
function protectedResourceDocument(config: MetadataConfig, resource: string) {
  return {
    resource,
    resource_name: config.name,
    authorization_servers: [config.issuer],
    scopes_supported: config.scopes.postClaim,
    bearer_methods_supported: ['header'],
  };
}

/** @param resource the identifier that the document's own URL was derived from. */
export function resourceDocument(config: ServiceConfig, dialect: ServiceDialect, resource: string) {
  const document = protectedResourceDocument(config, resource);
  const own =
    dialect.blockIn === 'resource'
      ? { ...document, agent_auth: blockOf(config, dialect) }
      : document;
  return withMembers(own, config.metadata.resource);
}

/** A fresh answer for a resource of many: for one of them, see `publicDocument`. */
export function resourceMetadata(
  config: ServiceConfig,
  dialect: ServiceDialect,
  resource: string,
): Response {
  return publicReply(resourceDocument(config, dialect, resource));
}

function blockOf(config: ServiceConfig, dialect: ServiceDialect): JsonObject {
  return withMembers(dialect.metadata(config).agent_auth, config.metadata.agent_auth);
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2) with the `agent_auth` block. */
export function authorizationServerDocument(config: ServiceConfig, dialect: ServiceDialect) {
  const { agent_auth: _block, ...members } = serverDocument(config, dialect);
  const own =
    dialect.blockIn === 'resource' ? members : { ...members, agent_auth: blockOf(config, dialect) };
  return withMembers(own, config.metadata.server);
}

function serverDocument(config: MetadataConfig, dialect: ServiceDialect) {
  return { ...protectedResourceDocument(config, config.issuer), ...dialect.metadata(config) };
}
