import { html, type View } from '../../mock/pages/html.ts';
import { type OutcomeView, outcomeView } from '../../mock/pages/outcome-view.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import { type CodeFormat, sampleUserCode } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import { type ClaimQuestion, claimCountdownView, questionView } from './claim-question.ts';

/** What a telephone offers for typing a code. */
const KEYBOARD: Readonly<Record<CodeFormat['kind'], View>> = {
  digits: html`inputmode="numeric"`,
  letters: html`autocapitalize="characters" spellcheck="false"`,
};

export interface ClaimView extends ClaimQuestion {
  readonly codeFormat: CodeFormat;
  /** What went wrong with the code typed before. */
  readonly problem?: string | View;
}

/** Where the signed-in owner types the code and approves, or denies. */
export function claimView(view: ClaimView) {
  const { problem } = view;
  // Who asks for what is read before the code is typed, so the field has the focus after a mistake alone.
  return html`${questionView(view)}
    <form method="post" action="${PATHS.complete}">
      ${hiddenFields(view)}
      <label for="user_code">Code that your agent shows you</label>
      <input id="user_code" name="user_code" ${KEYBOARD[view.codeFormat.kind]} autocomplete="one-time-code"
        maxlength="20" placeholder="${sampleUserCode(view.codeFormat)}"
        ${problem === undefined ? '' : html`aria-invalid="true" aria-describedby="code-problem" autofocus`}>
      ${problem === undefined ? '' : html`<p id="code-problem" class="problem" role="alert">${problem}</p>`}
      <p class="actions">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" class="secondary" formnovalidate>Deny</button>
      </p>
    </form>`;
}

export type ClaimEnd = Omit<OutcomeView, 'next'>;

/** The page after a claim was approved, denied or failed. */
export function claimEndView(outcome: ClaimEnd) {
  return outcomeView({
    ...outcome,
    next: html`<p class="actions"><a class="button secondary" href="${PATHS.connections}">See who has access to your account</a></p>`,
  });
}

/** Behind the link of a mail with a code: what the code is for. It is denied here, and approved at the agent. */
export function mailedClaimView(view: ClaimQuestion): View {
  return html`${questionView(view)}
    <p>To approve, read the code from the mail to your agent. Give it to no one else.</p>
    <form method="post" action="${PATHS.claimPage}">
      ${hiddenFields(view)}
      <p class="actions">
        <button name="decision" value="deny" class="secondary">Deny</button>
      </p>
    </form>`;
}

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
