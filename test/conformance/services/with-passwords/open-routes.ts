import { type Context, Hono } from 'hono';
import { GRANTS } from './oauth-routes.ts';
import { LIFE, SCOPES, type Site } from './site.ts';

const RESOURCE = '/api/resource';
const PUBLIC = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
} as const;

/** Metadata, keys, the skill file, and what it is all for: the resource. */
export function openRoutes(site: Site): Hono {
  const app = new Hono();
  const { base } = site;
  app.get('/.well-known/oauth-protected-resource', (c) =>
    c.json(ofResource(base, ''), 200, PUBLIC),
  );
  app.get(`/.well-known/oauth-protected-resource${RESOURCE}`, (c) =>
    c.json(ofResource(base, RESOURCE), 200, PUBLIC),
  );
  app.get('/.well-known/oauth-authorization-server', (c) => c.json(ofServer(base), 200, PUBLIC));
  app.get('/.well-known/jwks.json', (c) => c.json({ keys: [site.tokens.jwk] }, 200, PUBLIC));
  app.get('/auth.md', (c) =>
    c.body(skill(base), 200, { 'Content-Type': 'text/markdown; charset=utf-8' }),
  );
  app.get(RESOURCE, (c) => resource(site, c, 'api.read'));
  app.post(RESOURCE, (c) => resource(site, c, 'api.write'));
  return app;
}

function ofResource(base: string, path: string): object {
  return {
    resource: base + path,
    resource_name: 'Portal',
    authorization_servers: [base],
    scopes_supported: SCOPES.claimed,
    bearer_methods_supported: ['header'],
  };
}

function ofServer(base: string): object {
  return {
    ...ofResource(base, ''),
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    revocation_endpoint: `${base}/oauth2/revoke`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: GRANTS,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    agent_auth: {
      skill: `${base}/auth.md`,
      identity_endpoint: `${base}/agent/identity`,
      claim_endpoint: `${base}/agent/identity/claim`,
      events_endpoint: `${base}/agent/event/notify`,
      identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      },
      events_supported: [
        'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked',
      ],
    },
  };
}

function resource(site: Site, c: Context, needed: string): Response {
  const hint = `resource_metadata="${site.base}/.well-known/oauth-protected-resource${RESOURCE}"`;
  const header = c.req.header('authorization') ?? '';
  const refuse = (status: 401 | 403, error: string, challenge: string): Response =>
    c.json({ error }, status, {
      'WWW-Authenticate': `Bearer ${hint}${challenge}`,
      'Cache-Control': 'no-store',
    });
  if (!/^bearer(?: |$)/i.test(header)) return refuse(401, 'missing_token', '');
  const used = site.tokens.use(header.slice('bearer '.length).trim());
  const fits = used !== undefined && `${site.base}${RESOURCE}`.startsWith(used.token.resource);
  if (!fits) return refuse(401, 'invalid_token', ', error="invalid_token"');
  const { registration, token } = used;
  if (!token.scope.includes(needed))
    return refuse(403, 'insufficient_scope', `, error="insufficient_scope", scope="${needed}"`);
  const user = registration.claimed === undefined ? null : { email: registration.email };
  return c.json(
    { message: 'Hello', registration_id: registration.id, scope: token.scope.join(' '), user },
    200,
    { 'Cache-Control': 'no-store' },
  );
}

function skill(base: string): string {
  return `# Agents at the portal

## Discover
Read ${base}/.well-known/oauth-protected-resource, then the metadata of its authorization server.

## Register
POST ${base}/agent/identity with a JSON body: {"type": "anonymous"}, {"type": "service_auth",
"login_hint": EMAIL}, or {"type": "identity_assertion", "assertion": ID-JAG}.

## Claim
POST {"claim_token", "email"} to ${base}/agent/identity/claim. Show the user the code and the link; the
link is good for ${LIFE.attempt / 60} minutes. Poll ${base}/oauth2/token with grant_type ${GRANTS[1]}
every ${LIFE.interval} seconds.

## Exchange
POST grant_type=${GRANTS[0]} and the assertion to ${base}/oauth2/token.

## Use
Send the access token as a bearer token. ${SCOPES.preClaim.join(' ')} before the claim,
${SCOPES.claimed.join(' ')} after it.

## Handle revoke
On a 401, exchange once more. On invalid_grant, poll once, then ask the user. Revoke a token at
${base}/oauth2/revoke.
`;
}
