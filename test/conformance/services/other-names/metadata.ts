import { json } from '../support.ts';
import { ALL_SCOPES, type Desk } from './desk.ts';
import { REVOKED } from './events.ts';
import { GRANT_TYPES } from './token.ts';

const CACHE = { 'Cache-Control': 'max-age=60' };

/** RFC 9728 §3.1: the well-known part goes between host and path. */
export function resourceMetadataUrl({ origin, resource }: Desk): string {
  return `${origin}/.well-known/oauth-protected-resource${new URL(resource).pathname}`;
}

export function resourceMetadata({ issuer, resource }: Desk): Response {
  return json(
    200,
    {
      resource,
      authorization_servers: [issuer],
      scopes_supported: ALL_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Notes',
    },
    CACHE,
  );
}

/** Under RFC 8414 §3.1 at `/.well-known/oauth-authorization-server/auth`. */
export function serverMetadata({ origin, issuer, resource }: Desk): Response {
  return json(
    200,
    {
      resource,
      authorization_servers: [issuer],
      scopes_supported: ALL_SCOPES,
      bearer_methods_supported: ['header'],
      issuer,
      jwks_uri: `${issuer}/keys`,
      token_endpoint: `${issuer}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      revocation_endpoint_auth_methods_supported: ['none'],
      response_types_supported: [],
      grant_types_supported: GRANT_TYPES,
      service_documentation: `${origin}/docs/for-agents.md`,
      agent_auth: {
        skill: `${origin}/docs/for-agents.md`,
        identity_endpoint: `${issuer}/agent/identity`,
        claim_endpoint: `${issuer}/agent/identity/claim`,
        events_endpoint: `${issuer}/agent/event/notify`,
        identity_types_supported: ['identity_assertion', 'service_auth', 'anonymous'],
        identity_assertion: {
          assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        },
        events_supported: [REVOKED],
      },
    },
    CACHE,
  );
}

export function skill(desk: Desk): Response {
  const text = `# Notes, for agents

- **Discover.** Call ${desk.resource}. The 401 names ${resourceMetadataUrl(desk)}, which names ${desk.issuer}.
- **Register.** POST JSON to ${desk.issuer}/agent/identity: \`type\` is \`anonymous\`, \`service_auth\`
  (with \`login_hint\`) or \`identity_assertion\` (with an ID-JAG whose audience is ${desk.issuer}).
- **Claim.** For an owner, POST \`claim_token\` and \`email\` to ${desk.issuer}/agent/identity/claim. Show the user
  \`verification_uri\` and \`user_code\`, then poll the token endpoint every 5 seconds until \`valid_until\`.
- **Exchange.** Send the \`identity_assertion\` to ${desk.issuer}/oauth2/token.
- **Use.** Send the access token in the Authorization header, nowhere else.
- **Handle revoke.** Exchange once more on a 401; if that is refused, ask the user before you register again.
`;
  return new Response(text, {
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', ...CACHE },
  });
}
