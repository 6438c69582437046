import { JWKS_PATH } from '../../protocol/urls.ts';
import type { ProviderConfig } from './config.ts';

/** The provider's paths; every published URL is the issuer followed by one of these. */
export const PATHS = {
  home: '/',
  jwks: JWKS_PATH,
  client: '/agent-auth.json',
  deviceAuthorization: '/oauth2/device_authorization',
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  userInfo: '/oauth2/userinfo',
  device: '/device',
  consent: '/consent',
  consents: '/consents',
  consentRevocation: '/oauth2/consents/revoke',
} as const;

/** The URL that names the agent in an ID-JAG: that of its client ID metadata document. */
export function clientIdUrl({ issuer }: Pick<ProviderConfig, 'issuer'>): string {
  return issuer + PATHS.client;
}
