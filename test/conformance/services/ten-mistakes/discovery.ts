import { json } from '../support.ts';
import { REVOKED_EVENT } from './events.ts';
import { POST_CLAIM } from './scopes.ts';
import type { Service } from './service.ts';
import { CLAIM_GRANT, JWT_BEARER } from './tokens.ts';

const CACHE = { 'Cache-Control': 'public, max-age=300' };

export function protectedResource(service: Service): Response {
  const mediaType = service.has('metadata-media-type') ? 'application/octet-stream' : undefined;
  return json(200, resourceFields(service), {
    ...CACHE,
    ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
  });
}

export function authorizationServer(service: Service): Response {
  const { origin } = service;
  return json(
    200,
    {
      ...resourceFields(service),
      issuer: origin,
      jwks_uri: `${origin}/.well-known/jwks.json`,
      token_endpoint: `${origin}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint: `${origin}/oauth2/revoke`,
      revocation_endpoint_auth_methods_supported: ['none'],
      response_types_supported: [],
      grant_types_supported: [JWT_BEARER, CLAIM_GRANT],
      agent_auth: {
        skill: `${origin}/auth.md`,
        identity_endpoint: `${origin}/agent/identity`,
        claim_endpoint: `${origin}/agent/identity/claim`,
        events_endpoint: `${origin}/agent/event/notify`,
        identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
        identity_assertion: {
          assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        },
        events_supported: [REVOKED_EVENT],
      },
    },
    CACHE,
  );
}

export function skill({ origin }: Service): Response {
  const text = `# Signing in as an agent

1. Discover: read ${origin}/.well-known/oauth-protected-resource, then the metadata of the server named there.
2. Register: send \`{"type": "anonymous"}\`, \`{"type": "service_auth", "login_hint": "<email>"}\` or
   \`{"type": "identity_assertion", "assertion": "<ID-JAG>"}\` to ${origin}/agent/identity.
3. Claim: show the user \`user_code\` and \`verification_uri\`, and poll ${origin}/oauth2/token with the claim token.
4. Exchange: send \`identity_assertion\` to ${origin}/oauth2/token with the grant ${JWT_BEARER}.
5. Use: call ${origin}/api/resource with the access token as a bearer credential.
6. Revoked: on a 401 with \`invalid_token\`, exchange again; when that is refused, ask the user before registering again.
`;
  return new Response(text, {
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', ...CACHE },
  });
}

function resourceFields({ origin }: Service) {
  return {
    resource: origin,
    authorization_servers: [origin],
    scopes_supported: POST_CLAIM,
    bearer_methods_supported: ['header'],
  };
}
