import { askedOnceView } from '../../mock/pages/asked-once-view.ts';
import { html, instantView, type View } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';
import { type AudienceShown, scopesShown } from './audience-view.ts';

interface ConsentShown extends AudienceShown {
  /** The client that was agreed to. `undefined`: the agent. */
  readonly client: string | undefined;
  readonly since: number;
}

/** A revoked consent, and whether its service was notified. */
export interface RevokedShown {
  readonly issuer: string;
  readonly name: string;
  readonly revokedAt: number;
  readonly eventId: string;
  /** Whether the service was notified, as a sentence. */
  readonly notified: string;
  /** What the service, or the network, said. Shown as text. */
  readonly problem: string | undefined;
  readonly canSendAgain: boolean;
}

interface ConsentsView {
  readonly clientName: string;
  readonly signedInAs: string;
  readonly csrfToken: string;
  readonly consents: readonly ConsentShown[];
  readonly revoked: readonly RevokedShown[];
}

/** The consents of the signed-in user, to be revoked; and the revoked ones. */
export function consentsView(view: ConsentsView): View {
  const { clientName, consents, csrfToken, revoked, signedInAs } = view;
  return html`
    <h1>Services that learn who you are</h1>
    <p>Signed in as <strong>${signedInAs}</strong>. Your agent <strong>${clientName}</strong> identifies you
      to a service once you have agreed, and from then on without asking again.</p>
    ${
      consents.length === 0
        ? html`<p class="empty">You have not agreed to any service.</p>`
        : consents.map((consent) => consentCard(consent, csrfToken))
    }
    ${
      revoked.length === 0
        ? ''
        : html`<h2 class="section">Revoked</h2>
    ${revoked.map((entry) => revokedCard(entry, csrfToken))}`
    }`;
}

function consentCard(
  { client, issuer, name, scopes, since }: ConsentShown,
  csrfToken: string,
): View {
  return html`
    <section class="card">
      <h2>${name}</h2>
      <dl>
        <dt>URL</dt><dd><code>${issuer}</code></dd>
        ${client === undefined ? '' : html`<dt>Program</dt><dd>${client}</dd>`}
        <dt>Access</dt><dd>${scopesShown(scopes)}</dd>
        <dt>Since</dt><dd>${instantView(since)}</dd>
      </dl>
      ${askedOnceView({
        verb: 'Revoke',
        keep: 'Keep',
        ofWhich: `the consent for ${issuer}${client === undefined ? '' : ` by ${client}`}`,
        consequence:
          client === undefined
            ? 'If you revoke it, your agent can no longer identify you to this service, and the service is told to end what it gave.'
            : `If you revoke it, ${client} has to ask you again before it can identify you to this service.`,
        action: PATHS.consents,
        fields: html`<input type="hidden" name="csrf_token" value="${csrfToken}">
          <input type="hidden" name="audience" value="${issuer}">
          ${client === undefined ? '' : html`<input type="hidden" name="client" value="${client}">`}`,
        sends: { name: 'action', value: 'revoke' },
      })}
    </section>`;
}

function revokedCard(entry: RevokedShown, csrfToken: string): View {
  return html`
    <section class="card">
      <h3>${entry.name}</h3>
      <dl>
        <dt>URL</dt><dd><code>${entry.issuer}</code></dd>
        <dt>Revoked</dt><dd>${instantView(entry.revokedAt)}</dd>
        <dt>Notified</dt><dd>${entry.notified}</dd>
        ${entry.problem === undefined ? '' : html`<dt>Reason</dt><dd>${entry.problem}</dd>`}
      </dl>
      ${
        entry.canSendAgain
          ? html`<form method="post" action="${PATHS.consents}">
        <input type="hidden" name="csrf_token" value="${csrfToken}">
        <input type="hidden" name="event" value="${entry.eventId}">
        <p class="actions"><button name="action" value="send_again" class="secondary">Send again</button></p>
      </form>`
          : ''
      }
    </section>`;
}
