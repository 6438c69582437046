import { JWKS_PATH } from '../../protocol/index.ts';

/** The service's paths; every published URL is the issuer followed by one of these. */
export const PATHS = {
  start: '/',
  identity: '/agent/identity',
  claim: '/agent/identity/claim',
  complete: '/agent/identity/claim/complete',
  events: '/agent/event/notify',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  jwks: JWKS_PATH,
  skill: '/auth.md',
  login: '/login',
  claimPage: '/claim',
  claimLink: '/c',
  connections: '/connections',
  linkReview: '/connections/review',
  mails: '/mails',
} as const;

/** Every service of the directory answers below this path: the version is part of the path. */
export const CATALOG_ROOT = '/v2';

/** What the directory answers beside its catalog. */
export const LISTING_PATHS = ['/api/services.json', '/api/services.xml'] as const;
