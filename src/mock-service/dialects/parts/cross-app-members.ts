import { CLIENT_AUTH_METHODS } from '../../../mock/clients/client.ts';
import { ACCEPTED_ALGORITHMS } from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { PATHS } from '../../config/paths.ts';
import type { MetadataConfig } from '../dialect.ts';

/**
 * Members of the server's metadata that clients of cross-app access read
 * (draft-ietf-oauth-identity-assertion-authz-grant §7.2). MCP clients refuse a document without
 * `authorization_endpoint`, `response_types_supported` and the methods of PKCE, although there is no sign-in by
 * browser here: the endpoint says so.
 */
export function crossAppMembers({ clients, issuer, redeemsIdJags }: MetadataConfig): JsonObject {
  if (!redeemsIdJags) return {};
  const taken = new Set(clients.flatMap((client) => client.methods));
  const methods = CLIENT_AUTH_METHODS.filter(
    // Registrations authenticate by nothing.
    (method) => method === 'none' || clients.length === 0 || taken.has(method),
  );
  return {
    authorization_endpoint: issuer + PATHS.authorize,
    introspection_endpoint: issuer + PATHS.introspection,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    ...((clients.length === 0 || clients.some(({ byDocument }) => byDocument)) && {
      client_id_metadata_document_supported: true,
    }),
    ...(methods.includes('private_key_jwt') && {
      token_endpoint_auth_signing_alg_values_supported: ACCEPTED_ALGORITHMS,
    }),
  };
}
