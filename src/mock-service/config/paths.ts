import { JWKS_PATH } from '../../protocol/index.ts';

/** The service's paths; every published URL is the issuer followed by one of these. */
export const PATHS = {
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
} as const;

/** The roots of what needs an access token. */
export const PROTECTED_PATHS = ['/api/resource'] as const;
