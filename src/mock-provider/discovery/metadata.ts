import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../../mock/clients/client.ts';
import { withMembers } from '../../mock/config/document-members.ts';
import type { SigningAlgorithm } from '../../mock/keys/algorithm.ts';
import {
  ACCEPTED_ALGORITHMS,
  AUTHORIZATION_CODE_GRANT,
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  REFRESH_TOKEN_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/constants.ts';
import type { ProviderClient } from '../clients/provider-client.ts';
import type { ProviderConfig } from '../config/config.ts';
import { clientIdUrl, PATHS } from '../config/paths.ts';
import { OFFLINE_ACCESS, SIGN_IN_SCOPES } from '../mint/scopes.ts';

/** What an ID token or the user info can say of a user and a sign-in. */
const CLAIMS = [
  'iss',
  'sub',
  'aud',
  'iat',
  'exp',
  'auth_time',
  'email',
  'email_verified',
  'name',
  'phone_number',
  'phone_number_verified',
] as const;

/**
 * `GET /.well-known/oauth-authorization-server` and `/.well-known/openid-configuration`: one document
 * (RFC 8414 §2, RFC 8628 §4, ID-JAG §7.1, OpenID Connect Discovery §3). The member
 * `consent_revocation_endpoint` is in no standard: our own name for `POST /oauth2/consents/revoke`.
 */
export function providerDocument(config: ProviderConfig, algorithm: SigningAlgorithm) {
  return withMembers(serverDocument(config, algorithm), config.metadata.provider);
}

/** What the documents are written from, but for the members that are added to them. */
type Written = Omit<ProviderConfig, 'metadata'>;

/** How the agent, which has no credentials, and other clients authenticate; anyhow where no client is configured. */
function authMethods(
  clients: readonly ProviderClient[],
  agentAuth: boolean,
): readonly ClientAuthMethod[] {
  const taken = new Set(clients.flatMap(({ methods }) => methods));
  if (agentAuth) taken.add('none');
  return CLIENT_AUTH_METHODS.filter((method) => clients.length === 0 || taken.has(method));
}

function serverDocument(
  { agentAuth, clients, issuer, subjectType }: Written,
  algorithm: SigningAlgorithm,
) {
  return {
    issuer,
    jwks_uri: issuer + PATHS.jwks,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    ...(agentAuth && { device_authorization_endpoint: issuer + PATHS.deviceAuthorization }),
    userinfo_endpoint: issuer + PATHS.userInfo,
    ...(agentAuth && { consent_revocation_endpoint: issuer + PATHS.consentRevocation }),
    grant_types_supported: [
      AUTHORIZATION_CODE_GRANT,
      REFRESH_TOKEN_GRANT,
      ...(agentAuth ? [DEVICE_CODE_GRANT] : []),
      TOKEN_EXCHANGE_GRANT,
    ],
    identity_chaining_requested_token_types_supported: [ID_JAG_TOKEN_TYPE],
    scopes_supported: [...SIGN_IN_SCOPES, OFFLINE_ACCESS],
    claims_supported: CLAIMS,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: authMethods(clients, agentAuth),
    token_endpoint_auth_signing_alg_values_supported: ACCEPTED_ALGORITHMS,
    subject_types_supported: [subjectType],
    // What is signed with, and not the RS256 that OpenID Connect Discovery §3 asks everybody for:
    // a client that believed it would refuse every ID token.
    id_token_signing_alg_values_supported: [algorithm],
    // Left out, it would be true (OpenID Connect Discovery §3).
    request_uri_parameter_supported: false,
  };
}

/**
 * `GET /agent-auth.json` (draft-ietf-oauth-client-id-metadata-document §4). With the grant profile
 * goes the pair of grants that it stands for (ID-JAG §8).
 */
export function clientDocument(config: ProviderConfig) {
  return withMembers(ownClientDocument(config), config.metadata.client);
}

function ownClientDocument(config: Written) {
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
