import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import type { ProviderConfig } from '../config/config.ts';
import { clientIdUrl, PATHS } from '../config/paths.ts';
import { SIGN_IN_SCOPES } from '../mint/scopes.ts';

/**
 * `GET /.well-known/oauth-authorization-server` (RFC 8414 §2, RFC 8628 §4, ID-JAG §7.1). The member
 * `consent_revocation_endpoint` is in no standard: our own name for `POST /oauth2/consents/revoke`.
 */
export function providerDocument({ issuer }: ProviderConfig) {
  return {
    issuer,
    jwks_uri: issuer + PATHS.jwks,
    token_endpoint: issuer + PATHS.token,
    device_authorization_endpoint: issuer + PATHS.deviceAuthorization,
    consent_revocation_endpoint: issuer + PATHS.consentRevocation,
    grant_types_supported: [DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT],
    identity_chaining_requested_token_types_supported: [ID_JAG_TOKEN_TYPE],
    scopes_supported: SIGN_IN_SCOPES,
    // Required by RFC 8414 §2 although there is no authorization endpoint.
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

/**
 * `GET /agent-auth.json` (draft-ietf-oauth-client-id-metadata-document §4). With the grant profile
 * goes the pair of grants that it stands for (ID-JAG §8).
 */
export function clientDocument(config: ProviderConfig) {
  return {
    client_id: clientIdUrl(config),
    client_name: config.clientName,
    client_uri: config.issuer,
    jwks_uri: config.issuer + PATHS.jwks,
    grant_types: [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT],
    response_types: [],
    token_endpoint_auth_method: 'none',
    authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
  };
}
