import { type Request, type Response, Router } from 'express';
import type { App } from './app.ts';
import { text } from './db.ts';
import { CLAIM, JWT_BEARER } from './oauth.ts';
import { ofAccessToken } from './registry.ts';

const PATH = '/api/resource';

/** Discovery, the skill file, and the protected resource. */
export function publicRouter(app: App): Router {
  const router = Router();
  const wellKnown = (path: string, document: object) =>
    router.get(`/.well-known/${path}`, (request, response) => {
      response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' });
      const isFile = app.bug.is('metadata-media-type') && path === 'oauth-protected-resource';
      const host = request.get('x-forwarded-host');
      const isMoved = app.bug.is('host-in-metadata') && host !== undefined;
      const { host: own } = new URL(app.base);
      const text = JSON.stringify(document);
      response.type(isFile ? 'application/octet-stream' : 'json');
      response.send(Buffer.from(isMoved ? text.replaceAll(own, host) : text));
    });
  wellKnown('oauth-protected-resource', resourceDocument(app.base, ''));
  wellKnown(`oauth-protected-resource${PATH}`, resourceDocument(app.base, PATH));
  wellKnown('oauth-authorization-server', serverDocument(app.base));
  wellKnown('jwks.json', app.jwts.keySet);
  router.get('/auth.md', (_request, response) => {
    response.type('text/markdown').send(skill(app.base));
  });
  router.get(PATH, (request, response) => resource(app, request, response, 'api.read'));
  router.post(PATH, (request, response) => resource(app, request, response, 'api.write'));
  return router;
}

function resourceDocument(base: string, path: string) {
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: ['api.read', 'api.write'],
    bearer_methods_supported: ['header'],
  };
}

function serverDocument(base: string): object {
  return {
    ...resourceDocument(base, ''),
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    revocation_endpoint: `${base}/oauth2/revoke`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: [JWT_BEARER, CLAIM],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    agent_auth: {
      skill: `${base}/auth.md`,
      identity_endpoint: `${base}/agent/identity`,
      claim_endpoint: `${base}/agent/identity/claim`,
      events_endpoint: `${base}/agent/event/notify`,
      identity_types_supported: ['anonymous', 'service_auth', 'identity_assertion'],
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      },
      events_supported: [
        'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked',
      ],
    },
  };
}

function resource(app: App, request: Request, response: Response, scope: string): void {
  const metadata = `resource_metadata="${app.base}/.well-known/oauth-protected-resource${PATH}"`;
  const { access_token: inQuery } = request.query;
  const isInQuery = app.bug.is('token-in-query') && inQuery !== undefined;
  const header = isInQuery ? `Bearer ${inQuery}` : (request.get('authorization') ?? '');
  const sent = /^bearer\b/i.test(header);
  const token = /^bearer +([\w.-]+)$/i.exec(header)?.[1] ?? '';
  const known = sent ? ofAccessToken(app, token) : undefined;
  response.set('Cache-Control', 'no-store');
  if (known === undefined) {
    const error = sent ? ', error="invalid_token"' : '';
    response.status(401).set('WWW-Authenticate', `Bearer ${metadata}${error}`);
    response.json({ error: sent ? 'invalid_token' : 'missing_token' });
  } else if (!known.scope.split(' ').includes(scope)) {
    const error = `error="insufficient_scope", scope="${scope}"`;
    response.status(403).set('WWW-Authenticate', `Bearer ${metadata}, ${error}`);
    response.json({ error: 'insufficient_scope' });
  } else {
    const { registration } = known;
    const user = registration['claimed_by'] === null ? null : { email: registration['email'] };
    const id = text(registration, 'id');
    if (app.bug.is('public-cache')) response.set('Cache-Control', 'public, max-age=60');
    response.json({ message: 'Good day', registration_id: id, scope: known.scope, user });
  }
}

function skill(base: string): string {
  return [
    '# For agents',
    `## Discover\n\nStart at ${base}/.well-known/oauth-protected-resource.`,
    `## Register\n\nPOST JSON to ${base}/agent/identity: \`type\` is anonymous, service_auth with \`login_hint\`, or identity_assertion with \`assertion\`.`,
    `## Claim\n\nPOST \`claim_token\` and \`email\` to ${base}/agent/identity/claim, show code and link to your user, poll ${base}/oauth2/token every 2 seconds with ${CLAIM}.`,
    `## Exchange\n\nSend the assertion to ${base}/oauth2/token with ${JWT_BEARER}.`,
    `## Use\n\nThe token is a bearer token for ${base}${PATH}: api.read, after a claim api.write.`,
    `## Handle revoke\n\nA 401 means: exchange again; if that fails, poll once, then ask your user. ${base}/oauth2/revoke ends a token.`,
  ].join('\n\n');
}
