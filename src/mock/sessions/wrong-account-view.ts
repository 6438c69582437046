import { maskEmail } from '../../protocol/email.ts';
import { html, type View } from '../pages/html.ts';
import { outcomeView } from '../pages/outcome-view.ts';
import { SIGN_OUT_PATH } from './sign-in-routes.ts';

interface WrongAccountView {
  readonly signedInAs: string;
  /** Whose link it is; `undefined` when nobody was named. Shown masked. */
  readonly boundTo: string | undefined;
  readonly returnTo: string;
  readonly csrfToken: string;
}

/** The link of another account: shows its email masked, and offers to sign out. */
export function wrongAccountView(view: WrongAccountView): View {
  const owner = view.boundTo === undefined ? 'another account' : maskEmail(view.boundTo);
  return outcomeView({
    kind: 'refused',
    word: 'Other account',
    title: 'This link belongs to another account',
    text: html`You are signed in as <strong>${view.signedInAs}</strong>; this link was created for
      <strong>${owner}</strong>. Sign out, then sign in with that email address.`,
    next: html`<form method="post" action="${SIGN_OUT_PATH}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${view.returnTo}">
      <p class="actions"><button>Sign out</button></p>
    </form>`,
  });
}
