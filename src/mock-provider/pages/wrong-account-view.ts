import { html } from 'hono/html';
import { SIGN_OUT_PATH, type View } from '../../mock/index.ts';
import { maskEmail } from '../../protocol/index.ts';

/** Somebody else's question: says so without showing whose. */
export function wrongAccountView(view: {
  readonly signedInAs: string;
  readonly boundTo: string;
  readonly returnTo: string;
  readonly csrfToken: string;
}): View {
  return html`
    <h1>This question is for another account</h1>
    <p>You are signed in as <strong>${view.signedInAs}</strong>; the question is for
      <strong>${maskEmail(view.boundTo)}</strong>. Sign out, then sign in with that address.</p>
    <form method="post" action="${SIGN_OUT_PATH}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${view.returnTo}">
      <p class="actions"><button>Sign out</button></p>
    </form>`;
}
