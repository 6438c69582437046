import { type CountdownView, countdownView } from '../../mock/pages/countdown-view.ts';
import { html, type View } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';
import { type AudienceShown, audienceRows } from './audience-view.ts';

export interface ConsentView {
  readonly clientName: string;
  readonly providerName: string;
  readonly audience: AudienceShown;
  readonly resource: string | undefined;
  readonly user: {
    readonly email: string;
    readonly name: string | undefined;
    readonly phone: string | undefined;
  };
  /** How long the request waits for its user. */
  readonly open: Omit<CountdownView, 'over'>;
  readonly requestId: string;
  readonly csrfToken: string;
}

/** Asks for consent before an agent identifies its user to a service for the first time. */
export function consentView(view: ConsentView): View {
  const { audience, resource, user } = view;
  return html`
    <h1>Let ${view.clientName} identify you to ${audience.name}?</h1>
    <p>Your agent <strong>${view.clientName}</strong> wants to act on your behalf at this service.
      <strong>${view.providerName}</strong> would tell the service who you are.</p>
    <dl>
      ${audienceRows(audience)}
      ${resource === undefined ? '' : html`<dt>For</dt><dd><code>${resource}</code></dd>`}
      <dt>The service learns</dt>
      <dd><ul>
        <li>${user.email}</li>
        ${user.name === undefined ? '' : html`<li>${user.name}</li>`}
        ${user.phone === undefined ? '' : html`<li>${user.phone}</li>`}
        <li>when you last signed in here</li>
      </ul></dd>
    </dl>
    <p class="notice"><strong>Note:</strong> From then on, the agent can do this again without asking you.
      Check the URL of the service.</p>
    ${countdownView({ ...view.open, over: 'The time is up. Start again from your agent.' })}
    <form method="post" action="${PATHS.consent}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="request" value="${view.requestId}">
      <p class="actions">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" class="secondary">Deny</button>
      </p>
    </form>`;
}
