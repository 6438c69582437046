import { html, type View } from '../../mock/pages/html.ts';
import { type OutcomeView, outcomeView } from '../../mock/pages/outcome-view.ts';
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
  const { problem } = view;
  // Who asks for what is read before the code is typed, so the field has the focus after a mistake alone.
  return html`${questionView(view)}
    <form method="post" action="${PATHS.complete}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="claim_attempt_token" value="${view.attemptToken}">
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
