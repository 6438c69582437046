import type { DocumentMembers } from '../../mock/config/document-members.ts';
import type { Context } from '../../mock/http/context.ts';
import { transportProblem } from '../../mock/http/problems.ts';
import { publicReply } from '../../mock/http/replies.ts';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import type { ServiceConfig, ServiceDocument } from '../config/config.ts';
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
  return {
    ...protectedResourceDocument(config, resource),
    ...config.metadata.resource,
    ...(dialect.blockIn === 'resource' && { agent_auth: blockOf(config, dialect) }),
  };
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
  return { ...dialect.metadata(config).agent_auth, ...config.metadata.agent_auth };
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2) with the `agent_auth` block. */
export function authorizationServerDocument(config: ServiceConfig, dialect: ServiceDialect) {
  const { agent_auth: _block, ...members } = serverDocument(config, dialect);
  const document = { ...members, ...config.metadata.server };
  return dialect.blockIn === 'resource'
    ? document
    : { ...document, agent_auth: blockOf(config, dialect) };
}

/** Every member that the documents can have of their own, whatever is switched off. */
export function ownMembers(
  config: MetadataConfig,
  dialect: ServiceDialect,
): DocumentMembers<ServiceDocument> {
  const server = serverDocument(
    {
      ...config,
      identityTypes: IDENTITY_TYPES,
      redeemsIdJags: dialect.redeemsIdJags === true,
    },
    dialect,
  );
  return {
    resource: protectedResourceDocument(config, config.issuer),
    server,
    agent_auth: server.agent_auth,
  };
}

function serverDocument(config: MetadataConfig, dialect: ServiceDialect) {
  return { ...protectedResourceDocument(config, config.issuer), ...dialect.metadata(config) };
}
