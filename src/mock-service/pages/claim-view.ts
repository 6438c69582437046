import { html, type View } from '../../mock/index.ts';
import type { CodeFormat } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import { sampleUserCode } from '../config/user-code.ts';
import { type ClaimQuestion, questionView } from './claim-question.ts';

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
  return html`${questionView(view)}
    ${view.problem === undefined ? '' : html`<p class="problem" role="alert">${view.problem}</p>`}
    <form method="post" action="${PATHS.complete}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="claim_attempt_token" value="${view.attemptToken}">
      <label for="user_code">Code that your agent shows you</label>
      <input id="user_code" name="user_code" ${KEYBOARD[view.codeFormat.kind]} autocomplete="one-time-code"
        maxlength="20" placeholder="${sampleUserCode(view.codeFormat)}" autofocus>
      <p class="actions">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" class="secondary" formnovalidate>Deny</button>
      </p>
    </form>`;
}

/** The page after a claim was approved, denied or failed. */
export function claimEndView(title: string, text: string) {
  return html`<h1>${title}</h1><p>${text}</p>
    <p><a href="${PATHS.connections}">See who has access to your account</a></p>`;
}
