import { JWKS_PATH } from '../../protocol/urls.ts';

/** The service's paths; every published URL is the issuer followed by one of these. */
export const PATHS = {
  start: '/',
  identity: '/agent/identity',
  claim: '/agent/identity/claim',
  complete: '/agent/identity/claim/complete',
  events: '/agent/event/notify',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  authorize: '/oauth2/authorize',
  introspection: '/oauth2/introspect',
  jwks: JWKS_PATH,
  skill: '/auth.md',
  login: '/login',
  claimPage: '/claim',
  claimLink: '/c',
  connections: '/connections',
  linkReview: '/connections/review',
  mcp: '/mcp',
  mails: '/mails',
} as const;

/** The resource that the MCP server of a service is. */
export function mcpResource(issuer: string): string {
  return issuer + PATHS.mcp;
}

/** Every service of the directory answers below this path: the version is part of the path. */
export const CATALOG_ROOT = '/v2';

/** What the directory answers beside its catalog. */
export const LISTING_PATHS = ['/api/services.json', '/api/services.xml'] as const;
