import { html, SIGN_IN_PATH, SIGN_OUT_PATH, type View } from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';

/** The provider's first page. */
export function homeView(view: {
  readonly issuer: string;
  readonly signedInAs: string | undefined;
  readonly csrfToken: string;
}): View {
  return html`
    <h1>An agent provider for tests</h1>
    <p>Agents sign their users in here and get assertions (ID-JAGs) that name the user to a service.</p>
    <dl>
      <dt>Issuer</dt><dd><code>${view.issuer}</code></dd>
      <dt>You</dt><dd>${view.signedInAs ?? 'not signed in'}</dd>
    </dl>
    <p><a href="${PATHS.device}">Enter the code of an agent</a><br>
      <a href="${PATHS.consents}">See which services learn who you are</a></p>
    ${
      view.signedInAs === undefined
        ? html`<p><a href="${SIGN_IN_PATH}">Sign in</a></p>`
        : html`<form method="post" action="${SIGN_OUT_PATH}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <p class="actions"><button class="secondary">Sign out</button></p>
    </form>`
    }`;
}
