import { type Handler, json, type Reply } from './http.ts';
import { READ, type State, WRITE } from './state.ts';

export const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
export const REVOKED =
  'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

const PUBLIC = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };

const ofResource = ({ origin }: State, resource: string) => ({
  resource,
  resource_name: 'A small API',
  authorization_servers: [origin],
  scopes_supported: [READ, WRITE],
  bearer_methods_supported: ['header'],
});

/** RFC 9728 §3.1: the document's own path says which resource it is about. */
export const protectedResource =
  (path: string): Handler =>
  ({ state }) =>
    json(200, ofResource(state, `${state.origin}${path}`), PUBLIC);

export const authorizationServer: Handler = ({ state }) => {
  const { origin } = state;
  return json(
    200,
    {
      ...ofResource(state, origin),
      issuer: origin,
      token_endpoint: `${origin}/oauth2/token`,
      revocation_endpoint: `${origin}/oauth2/revoke`,
      jwks_uri: `${origin}/.well-known/jwks.json`,
      response_types_supported: [],
      grant_types_supported: [JWT_BEARER, CLAIM_GRANT],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      agent_auth: {
        skill: `${origin}/auth.md`,
        identity_endpoint: `${origin}/agent/identity`,
        claim_endpoint: `${origin}/agent/identity/claim`,
        events_endpoint: `${origin}/agent/event/notify`,
        identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
        identity_assertion: { assertion_types_supported: [ID_JAG] },
        events_supported: [REVOKED],
      },
    },
    PUBLIC,
  );
};

export const keys: Handler = ({ state }) => json(200, { keys: [state.signer.jwk] }, PUBLIC);

export const skill: Handler = ({ state: { origin } }): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/markdown; charset=utf-8', ...PUBLIC },
  body: `# How an agent uses this service

## Discover
Read ${origin}/.well-known/oauth-protected-resource, then ${origin}/.well-known/oauth-authorization-server.

## Register
\`POST ${origin}/agent/identity\` with JSON: \`{"type":"anonymous"}\`, \`{"type":"service_auth","login_hint":EMAIL}\`,
or \`{"type":"identity_assertion","assertion":ID-JAG}\`. The ID-JAG names \`${origin}\` as its audience.

## Claim
\`POST ${origin}/agent/identity/claim\` with \`{"claim_token":…,"email":…}\`. Show the user \`verification_uri\` and
\`user_code\`. The code is valid for ten minutes.

## Exchange
\`POST ${origin}/oauth2/token\`, form-encoded: \`grant_type=${JWT_BEARER}\` with \`assertion\`, or
\`grant_type=${CLAIM_GRANT}\` with \`claim_token\`, every five seconds, until the user has decided.
An access token is valid for an hour.

## Use
Send it to ${origin}/api/resource as \`Authorization: Bearer …\`.

## Handle revoke
\`POST ${origin}/oauth2/revoke\` with \`token\` ends an access token. A call that is answered with 401 needs a new
exchange; where that says \`invalid_grant\`, poll the claim once, then register again.

## Errors
\`authorization_pending\`, \`slow_down\`: poll again. \`expired_token\`: start a new claim. \`access_denied\`: the user
said no.
`,
});
