import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWKS_PATH,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import type { ProviderConfig } from '../context/config.ts';

/** The provider's paths; every published address is the issuer followed by one of these. */
export const PATHS = {
  home: '/',
  jwks: JWKS_PATH,
  client: '/agent-auth.json',
  deviceAuthorization: '/oauth2/device_authorization',
  token: '/oauth2/token',
  device: '/device',
  consent: '/consent',
  consents: '/consents',
  consentRevocation: '/oauth2/consents/revoke',
} as const;

/** What a sign-in can ask for; a device authorization that names an audience may add the audience's. */
export const SIGN_IN_SCOPES = ['openid', 'email', 'profile', 'phone'] as const;

/**
 * `GET /.well-known/oauth-authorization-server` (RFC 8414 §2, RFC 8628 §4, ID-JAG §7.1). The member
 * `consent_revocation_endpoint` is of no standard: our own name for `POST /oauth2/consents/revoke`.
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

/** The address that names the agent in an ID-JAG: that of its client ID metadata document. */
export function clientIdUrl({ issuer }: ProviderConfig): string {
  return issuer + PATHS.client;
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
