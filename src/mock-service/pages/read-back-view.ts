import { html, type View } from '../../mock/pages/html.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import { PATHS } from '../config/paths.ts';
import { type ClaimQuestion, claimCountdownView, questionView } from './claim-question.ts';

/** Where the signed-in owner approves, after which the page shows the code; or denies. */
export function confirmClaimView(view: ClaimQuestion): View {
  return html`${questionView(view)}
    <p>If you approve, this page shows you a code. The agent gets access once it has the code.</p>
    <form method="post" action="${PATHS.claimPage}">
      ${hiddenFields(view)}
      <p class="actions">
        <button name="decision" value="approve">Approve and show the code</button>
        <button name="decision" value="deny" class="secondary">Deny</button>
      </p>
    </form>`;
}

/** The code, for the owner to pass on. */
export function claimCodeView(view: ClaimQuestion & { readonly userCode: string }): View {
  return html`
    <h1>Read this code to your agent</h1>
    <p class="shown-code"><output class="user-code" aria-label="Code">${displayUserCode(view.userCode)}</output></p>
    ${claimCountdownView(view)}
    <p>The agent asks you for it. It gets access to your account at
      <strong>${view.serviceName}</strong> as soon as it sends the code, which works once.</p>
    <p class="notice"><strong>Give it to no one else:</strong> not to a caller, not in a mail, not on another
      page.</p>
    <form method="post" action="${PATHS.claimPage}">
      ${hiddenFields(view)}
      <p class="actions"><button name="decision" value="deny" class="secondary">Deny after all</button></p>
    </form>`;
}

function hiddenFields({ attemptToken, csrfToken }: ClaimQuestion): View {
  return html`<input type="hidden" name="csrf_token" value="${csrfToken}">
      <input type="hidden" name="claim_attempt_token" value="${attemptToken}">`;
}
