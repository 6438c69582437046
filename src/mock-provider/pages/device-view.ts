import { type CountdownView, countdownView } from '../../mock/pages/countdown-view.ts';
import { html, type View } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';
import { type AudienceShown, audienceRows } from './audience-view.ts';

interface DeviceCodeView {
  readonly email: string;
  readonly csrfToken: string;
  readonly typed: string | undefined;
  readonly problem: string | undefined;
}

/** Where the code is typed. */
export function deviceCodeView({ email, csrfToken, typed, problem }: DeviceCodeView): View {
  return html`
    <h1>Sign in an agent</h1>
    <p>Enter the code that your agent shows you. You are signed in as <strong>${email}</strong>.</p>
    <form method="post" action="${PATHS.device}">
      <input type="hidden" name="csrf_token" value="${csrfToken}">
      <label for="user_code">Code</label>
      <input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters"
        spellcheck="false" maxlength="20" placeholder="WDJB-MJHT" required autofocus
        value="${typed ?? ''}"
        ${problem === undefined ? '' : html`aria-invalid="true" aria-describedby="code-problem"`}>
      ${problem === undefined ? '' : html`<p id="code-problem" class="problem" role="alert">${problem}</p>`}
      <p class="actions"><button>Continue</button></p>
    </form>`;
}

interface DeviceConfirmView {
  readonly clientName: string;
  /** Whether its user is asked for each service; of what other clients reach, policy decides. */
  readonly isAsked: boolean;
  readonly providerName: string;
  readonly email: string;
  readonly userCode: string;
  /** How long the code can be answered. */
  readonly open: Omit<CountdownView, 'over'>;
  /** Set when approving is consent to an audience, too. */
  readonly audience: AudienceShown | undefined;
  readonly csrfToken: string;
}

/** The question of RFC 8628 §5.4: is that your agent, and did you start this? */
export function deviceConfirmView(view: DeviceConfirmView): View {
  return html`
    <h1>Is this your agent?</h1>
    <p>A program called <strong>${view.clientName}</strong> wants to sign in to
      <strong>${view.providerName}</strong> as you. Continue only if you started it yourself and it
      shows this code:</p>
    <p class="shown-code"><output class="user-code" aria-label="Code">${view.userCode}</output></p>
    <dl>
      <dt>Signs in as</dt><dd>${view.email}</dd>
      ${view.audience === undefined ? '' : audienceRows(view.audience)}
    </dl>
    <p class="notice"><strong>Note:</strong> ${
      !view.isAsked
        ? 'This gives the program access. What it reaches as you, the policy of the provider decides.'
        : view.audience === undefined
          ? 'This gives the program access. It will still ask you before it identifies you to a service.'
          : 'This gives the program access, and lets it identify you to the service above.'
    }</p>
    ${countdownView({ ...view.open, over: 'The time is up. Ask your agent for a new code.' })}
    <form method="post" action="${PATHS.device}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="user_code" value="${view.userCode}">
      <p class="actions">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" class="secondary">Deny</button>
      </p>
    </form>`;
}
