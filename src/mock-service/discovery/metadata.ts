import {
  type Context,
  type DocumentMembers,
  publicReply,
  transportProblem,
} from '../../mock/index.ts';
import {
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  IDENTITY_TYPES,
  JWT_BEARER_GRANT,
  PROTECTED_RESOURCE_PATH,
  revokedEventType,
} from '../../protocol/index.ts';
import { claimGrantTypes, type ServiceConfig, type ServiceDocument } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';

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

/** What the documents are written from, but for the members that are added to them. */
type Written = Omit<ServiceConfig, 'metadata'>;

/** `GET /.well-known/oauth-protected-resource[/path]` (RFC 9728 §2) for the base or a protected path. */
function protectedResourceDocument(config: Written, resource: string) {
  return {
    resource,
    resource_name: config.name,
    authorization_servers: [config.issuer],
    scopes_supported: config.scopes.postClaim,
    bearer_methods_supported: ['header'],
  };
}

/** @param resource the identifier that the document's own URL was derived from. */
export function resourceMetadata(config: ServiceConfig, resource: string): Response {
  return publicReply({
    ...protectedResourceDocument(config, resource),
    ...config.metadata.resource,
  });
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §2) with the `agent_auth` block. */
export function authorizationServerDocument(config: ServiceConfig) {
  const document = serverDocument(config);
  const { agent_auth: added, server } = config.metadata;
  const block = { ...document.agent_auth, ...added };
  return { ...document, ...server, agent_auth: block };
}

/** Every member that the documents can have of their own, whatever is switched off. */
export function ownMembers(config: Written): DocumentMembers<ServiceDocument> {
  const server = serverDocument({ ...config, identityTypes: IDENTITY_TYPES });
  return {
    resource: protectedResourceDocument(config, config.issuer),
    server,
    agent_auth: server.agent_auth,
  };
}

function serverDocument(config: Written) {
  const { issuer } = config;
  const takesIdJag = config.identityTypes.includes('identity_assertion');
  return {
    ...protectedResourceDocument(config, issuer),
    issuer,
    token_endpoint: issuer + PATHS.token,
    revocation_endpoint: issuer + PATHS.revocation,
    jwks_uri: issuer + PATHS.jwks,
    grant_types_supported: [JWT_BEARER_GRANT, ...claimGrantTypes(config)],
    // Required by RFC 8414 §2 although there is no authorization endpoint.
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    ...(takesIdJag && { authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE] }),
    agent_auth: {
      skill: issuer + PATHS.skill,
      identity_endpoint: issuer + PATHS.identity,
      claim_endpoint: issuer + PATHS.claim,
      events_endpoint: issuer + PATHS.events,
      identity_types_supported: config.identityTypes,
      ...(takesIdJag && {
        identity_assertion: { assertion_types_supported: [ID_JAG_TOKEN_TYPE] },
      }),
      events_supported: [revokedEventType(config.eventBase)],
    },
  };
}
