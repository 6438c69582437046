/** The documents of a right service, for tests that change one member. */
export const HOST = 'https://api.example.com';
export const SERVER = '/.well-known/oauth-authorization-server';
export const RESOURCE = '/.well-known/oauth-protected-resource';

export const METADATA = {
  issuer: HOST,
  token_endpoint: `${HOST}/oauth2/token`,
  revocation_endpoint: `${HOST}/oauth2/revoke`,
  response_types_supported: [],
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  agent_auth: {
    skill: `${HOST}/auth.md`,
    identity_endpoint: `${HOST}/agent/identity`,
    claim_endpoint: `${HOST}/agent/identity/claim`,
    identity_types_supported: ['anonymous'],
  },
};

export const RESOURCE_METADATA = {
  resource: HOST,
  authorization_servers: [HOST],
  scopes_supported: ['api.read'],
  bearer_methods_supported: ['header'],
};
