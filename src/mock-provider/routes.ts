import { oauthEnvelope } from '../mock/http/envelopes.ts';
import type { Context, Route } from '../mock/http/request.ts';
import { publicDocument } from '../mock/http/response.ts';
import { assetRoutes } from '../mock/pages/asset-routes.ts';
import { forBrowsers, pageEnvelope } from '../mock/pages/page-envelope.ts';
import { startPage } from '../mock/pages/start-page.ts';
import { signInRoutes } from '../mock/sessions/sign-in-routes.ts';
import { MEDIA_TYPE } from '../protocol/constants.ts';
import { AUTHORIZATION_SERVER_PATH, OPENID_CONFIGURATION_PATH } from '../protocol/urls.ts';
import { redirectTarget } from './authorize/authorization-request.ts';
import { authorize } from './authorize/authorize.ts';
import { PATHS } from './config/paths.ts';
import { showConsent, submitConsent } from './consent/consent-page.ts';
import { showConsents, submitConsents } from './consent/consents-page.ts';
import { revokeByAgent } from './consent/revocation-endpoint.ts';
import type { ProviderContext } from './context/provider-context.ts';
import { deviceAuthorization } from './device/device-authorization.ts';
import { showDevice, submitDevice } from './device/device-page.ts';
import { clientDocument, providerDocument } from './discovery/metadata.ts';
import { token } from './tokens/token-endpoint.ts';
import { userInfo } from './user-info/user-info.ts';

/** Every route of the provider, in one table. */
export function providerRoutes(provider: ProviderContext): readonly Route[] {
  const { config, keys, reader, returnTo, sessions, site, users, views } = provider;
  const metadata = publicDocument(
    () => providerDocument(config, keys.algorithm),
    undefined,
    () => config.clients,
  );
  const jwks = () => keys.jwks();
  const keySet = publicDocument(jwks, MEDIA_TYPE.jwkSet, jwks);
  const client = publicDocument(() => clientDocument(config));

  const onSignIn = async (email: string): Promise<string> => {
    await users.signIn(email);
    return email;
  };
  const envelope = forBrowsers(site, oauthEnvelope);
  const open = { method: 'GET', envelope, crossOrigin: true } as const;
  const api = { method: 'POST', envelope, crossOrigin: true } as const;
  const pages = { envelope: pageEnvelope(site) } as const;
  /** What agentic registration needs of a provider. */
  const agentRoutes: readonly Route[] = [
    { ...open, path: PATHS.client, handle: client },
    { ...api, path: PATHS.deviceAuthorization, handle: (c) => deviceAuthorization(provider, c) },
    { ...api, path: PATHS.consentRevocation, handle: (c) => revokeByAgent(provider, c) },
    { ...pages, method: 'GET', path: PATHS.device, handle: (c) => showDevice(provider, c) },
    { ...pages, method: 'POST', path: PATHS.device, handle: (c) => submitDevice(provider, c) },
  ];
  return [
    { ...open, path: AUTHORIZATION_SERVER_PATH, handle: metadata },
    { ...open, path: OPENID_CONFIGURATION_PATH, handle: metadata },
    { ...open, path: PATHS.jwks, handle: keySet },
    { ...pages, method: 'GET', path: PATHS.authorize, handle: (c) => authorize(provider, c) },
    { ...api, path: PATHS.token, handle: (c) => token(provider, c) },
    { ...open, path: PATHS.userInfo, handle: (c) => userInfo(provider, c) },
    { ...api, path: PATHS.userInfo, handle: (c) => userInfo(provider, c) },
    { ...pages, method: 'GET', path: PATHS.home, handle: (c) => showHome(provider, c) },
    { ...pages, method: 'GET', path: PATHS.consent, handle: (c) => showConsent(provider, c) },
    { ...pages, method: 'POST', path: PATHS.consent, handle: (c) => submitConsent(provider, c) },
    { ...pages, method: 'GET', path: PATHS.consents, handle: (c) => showConsents(provider, c) },
    { ...pages, method: 'POST', path: PATHS.consents, handle: (c) => submitConsents(provider, c) },
    ...(config.agentAuth ? agentRoutes : []),
    ...signInRoutes({
      reader,
      returnTo,
      sessions,
      site,
      views,
      onSignIn,
      leavesFor: (path) => redirectTarget(path, config),
    }),
    ...assetRoutes(site),
  ];
}

/** `GET /`: what this is, where to type a code, and how to try it. */
function showHome(
  { config, sessions, site, views }: ProviderContext,
  c: Context,
): Promise<Response> {
  return startPage(site, c.req.raw, async () => {
    const session = await sessions.find(c);
    return views.home({
      issuer: config.issuer,
      signedInAs: session?.visitor?.email,
      csrfToken: session?.csrfToken ?? '',
    });
  });
}
