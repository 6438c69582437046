import { OPENAPI_PATH } from '../../mock/http/openapi-route.ts';
import { html } from '../../mock/pages/html.ts';
import {
  getEndpoint as get,
  liveViewLine,
  postEndpoint as post,
  type StartEndpoint,
  type StartView,
} from '../../mock/pages/start-page.ts';
import { SIGN_IN_PATH, SIGN_OUT_PATH } from '../../mock/sessions/sign-in-routes.ts';
import { AUTHORIZATION_SERVER_PATH, OPENID_CONFIGURATION_PATH } from '../../protocol/urls.ts';
import { PATHS } from '../config/paths.ts';

/** The provider's first page. */
export function homeView(view: {
  readonly issuer: string;
  readonly signedInAs: string | undefined;
  readonly csrfToken: string;
}): StartView {
  const { csrfToken, issuer, signedInAs } = view;
  return {
    title: 'A mock agent provider for tests',
    about:
      'Agents sign their users in here and get assertions (ID-JAGs) that name the user to a service.',
    issuer,
    actions: [
      { path: PATHS.device, text: 'Enter the code of an agent' },
      { path: PATHS.consents, text: 'See which services learn who you are' },
    ],
    session:
      signedInAs === undefined
        ? html`<p>You are not signed in. <a href="${SIGN_IN_PATH}">Sign in</a></p>`
        : html`<form method="post" action="${SIGN_OUT_PATH}">
      <input type="hidden" name="csrf_token" value="${csrfToken}">
      <p>You are signed in as ${signedInAs}.</p>
      <p class="actions"><button class="secondary">Sign out</button></p>
    </form>`,
    lines: [
      {
        line: `agent-auth provider login ${issuer}`,
        description: 'Sign an agent in, as its user:',
      },
      {
        line: `curl ${issuer}${AUTHORIZATION_SERVER_PATH}`,
        description: 'Read what this provider can do:',
      },
      liveViewLine(issuer),
    ],
    endpoints: ENDPOINTS,
  };
}

const ENDPOINTS: readonly StartEndpoint[] = [
  get('authorization_server_metadata', AUTHORIZATION_SERVER_PATH, 'RFC 8414'),
  get('openid_configuration', OPENID_CONFIGURATION_PATH, 'the same, for clients of OpenID Connect'),
  get('jwks', PATHS.jwks, 'the keys of ID tokens, ID-JAGs and events'),
  get('client', PATHS.client, 'the client that ID-JAGs name'),
  post('device_authorization', PATHS.deviceAuthorization, 'begins a sign-in by device code'),
  post('token', PATHS.token, 'polls a sign-in, exchanges an ID token for an ID-JAG'),
  get('userinfo', PATHS.userInfo, 'who signed in; needs an access token'),
  post('consent_revocation', PATHS.consentRevocation, 'takes a consent back'),
  get('openapi', OPENAPI_PATH, 'this as OpenAPI 3.1'),
];
