import { html, type View } from '../../mock/index.ts';
import { describeDuration } from '../../protocol/index.ts';
import type { CodeFormat } from '../config/code-format.ts';
import { PATHS } from '../config/paths.ts';
import { sampleUserCode } from '../config/user-code.ts';
import { ownWords } from './agent-name-view.ts';

const TYPE_TEXT = {
  anonymous: 'An agent that registered without naming a user',
  service_auth: 'An agent that named your email address',
  identity_assertion: 'An agent of the provider',
} as const;

/** What the owner of an account should know before approving (AMD-06). */
export type Advisory = 'first_agent' | 'first_time_provider';

const ADVISORY_TEXT: Readonly<Record<Advisory, string>> = {
  first_agent: 'This is the first agent on this account.',
  first_time_provider: 'This provider has not identified the user of this account before.',
};

/** What a telephone offers for typing a code. */
const KEYBOARD: Readonly<Record<CodeFormat['kind'], View>> = {
  digits: html`inputmode="numeric"`,
  letters: html`autocapitalize="characters" spellcheck="false"`,
};

export interface ClaimView {
  readonly serviceName: string;
  readonly signedInAs: string;
  readonly type: keyof typeof TYPE_TEXT;
  /** From the trust list, never from a token (AMD-06). */
  readonly providerName: string | View | undefined;
  /** What the agent calls itself. */
  readonly agentName: string | undefined;
  readonly scopes: readonly string[];
  readonly advisories: readonly Advisory[];
  readonly codeFormat: CodeFormat;
  readonly timeLeft: number;
  readonly attemptToken: string;
  readonly csrfToken: string;
  /** What went wrong with the code typed before. */
  readonly problem?: string | View;
}

/** Where the signed-in owner types the code and approves, or denies. */
export function claimView(view: ClaimView) {
  const asker =
    view.providerName === undefined
      ? TYPE_TEXT[view.type]
      : html`${TYPE_TEXT[view.type]} <strong>${view.providerName}</strong>`;
  return html`
    <h1>Give an agent access?</h1>
    <p>${asker} is asking for access to your account at <strong>${view.serviceName}</strong>.
      Continue only if you started this yourself.</p>${ownWords(view.agentName)}
    <dl>
      <dt>Signed in as</dt><dd>${view.signedInAs}</dd>
      <dt>It will be able to use</dt>
      <dd><ul>${view.scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul></dd>
      <dt>Time left</dt><dd>${describeDuration(view.timeLeft)}</dd>
    </dl>
    ${view.advisories.map(
      (advisory) => html`<p class="notice"><strong>Note:</strong> ${ADVISORY_TEXT[advisory]}</p>`,
    )}
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
