import { Router } from 'express';
import type { App } from '../express-defaults.ts';

export function metadataRouter({ base, accounts, tokens, bug }: App): Router {
  const router = Router();
  router.get('/.well-known/oauth-protected-resource', (_request, response) => {
    response.json({
      resource: base,
      authorization_servers: [base],
      scopes_supported: ['api.read', 'api.write'],
      bearer_methods_supported: ['header'],
    });
  });
  router.get('/.well-known/oauth-authorization-server', (_request, response) => {
    response.json({
      issuer: base,
      token_endpoint: `${base}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['none'],
      jwks_uri: `${base}/keys.json`,
      response_types_supported: [],
      scopes_supported: ['api.read', 'api.write'],
      ...(bug === 'anonymous-alone' ? ofAnonymousAlone(base) : ofAll(base)),
    });
  });
  router.get('/keys.json', (_request, response) => {
    response.json({ keys: [tokens.jwk] });
  });
  router.get('/auth.md', (_request, response) => {
    response.type('text/markdown').send('# For agents\n\nRegister, claim, exchange, call.\n');
  });
  router.get('/api/resource', (request, response) => {
    const field = request.get('authorization');
    const token = /^Bearer ([^ ]+)$/i.exec(field ?? '')?.[1];
    const found = accounts.ofToken(token);
    if (found !== undefined) {
      response.set('Cache-Control', 'no-store').json({ user: found.email ?? null });
      return;
    }
    const hint = `resource_metadata="${base}/.well-known/oauth-protected-resource"`;
    const error = field === undefined ? '' : 'error="invalid_token", ';
    response.status(401).set('WWW-Authenticate', `Bearer ${error}${hint}`).end();
  });
  return router;
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

function ofAnonymousAlone(base: string): object {
  return {
    grant_types_supported: [JWT_BEARER],
    agent_auth: {
      identity_endpoint: `${base}/agent/identity`,
      identity_types_supported: ['anonymous'],
    },
  };
}

function ofAll(base: string): object {
  return {
    revocation_endpoint: `${base}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: [JWT_BEARER, 'urn:vendor:agent-auth:grant-type:claim'],
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
