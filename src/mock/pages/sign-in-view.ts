import { html, type View } from './html.ts';

export interface SignInView {
  readonly returnTo: string;
  readonly csrfToken: string;
  /** An agent asks for a fresh sign-in, however recent the last one is. */
  readonly again: boolean;
  /** What was typed before, or who signed in last. */
  readonly typed?: string | View | undefined;
  readonly problem?: string;
}

export function signInView({ returnTo, csrfToken, again, typed, problem }: SignInView): View {
  return html`
    <h1>${again ? 'Sign in again' : 'Sign in'}</h1>
    <p>${again ? 'Your agent asks you to sign in again.' : 'Sign in to continue.'}
      If your email address is new here, an account is created.</p>
    <form method="post" action="/login">
      <input type="hidden" name="csrf_token" value="${csrfToken}">
      <input type="hidden" name="return_to" value="${returnTo}">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="username" required autofocus
        maxlength="254" placeholder="alice@example.com" value="${typed ?? ''}"
        ${problem === undefined ? '' : html`aria-invalid="true" aria-describedby="email-problem"`}>
      ${problem === undefined ? '' : html`<p id="email-problem" class="problem" role="alert">${problem}</p>`}
      <p class="actions"><button>Sign in</button></p>
    </form>`;
}
