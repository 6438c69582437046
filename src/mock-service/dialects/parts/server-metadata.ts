import {
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  revokedEventType,
} from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { PATHS } from '../../config/paths.ts';
import type { MetadataConfig, ServerMembers } from '../dialect.ts';

/**
 * `GET /.well-known/oauth-authorization-server` (RFC 8414 §2) with the block `agent_auth`, as it is since v0.2.
 * @param claimGrants the claim grants that are accepted beside jwt-bearer.
 * @param more members in the place of these, and beside them.
 */
export function serverMetadata(
  config: MetadataConfig,
  claimGrants: readonly string[],
  more: JsonObject = {},
): ServerMembers {
  const { issuer } = config;
  const takesIdJag = config.identityTypes.includes('identity_assertion');
  return {
    issuer,
    token_endpoint: issuer + PATHS.token,
    revocation_endpoint: issuer + PATHS.revocation,
    jwks_uri: issuer + PATHS.jwks,
    grant_types_supported: [JWT_BEARER_GRANT, ...claimGrants],
    // Required by RFC 8414 §2 although there is no authorization endpoint.
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    ...(takesIdJag && { authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE] }),
    ...more,
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
