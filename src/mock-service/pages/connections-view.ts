import { askedOnceView } from '../../mock/pages/asked-once-view.ts';
import { html, icon, instantView, type View } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';
import { agentNameView, ownWords, scopesView } from './claim-question.ts';

export interface Connection {
  readonly id: string;
  /** A sentence's subject; a provider by its name from the trust list. */
  readonly who: string;
  /** What it calls itself. */
  readonly agentName: string | undefined;
  readonly scopes: readonly string[];
  readonly since: number;
}

/** Everything that has access to the signed-in user's account; **End access** asks, then revokes one. */
export function connectionsView(view: {
  readonly signedInAs: string;
  readonly csrfToken: string;
  readonly connections: readonly Connection[];
  /** The registration whose access has just ended. */
  readonly ended?: string | undefined;
}) {
  return html`
    <h1>Agents with access</h1>
    <p>Signed in as <strong>${view.signedInAs}</strong>.</p>
    ${view.ended === undefined ? '' : endedView(view.ended)}
    ${
      view.connections.length === 0
        ? html`<p class="empty">No agent has access to this account.</p>`
        : view.connections.map((connection) => connectionCard(connection, view.csrfToken))
    }
    <form method="post" action="/logout">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${PATHS.connections}">
      <p class="actions"><button class="secondary">Sign out</button></p>
    </form>`;
}

function endedView(id: string): View {
  return html`<p class="told" role="status">${icon('done')} <span><strong>Access ended.</strong> Registration <code>${id}</code> can do nothing here any more.</span></p>`;
}

function connectionCard({ agentName, id, who, scopes, since }: Connection, csrfToken: string) {
  return html`
    <section class="card">
      <h2>${who}</h2>
      <dl>${
        agentName === undefined
          ? ''
          : html`
        <dt>Calls itself</dt><dd>${agentNameView(agentName)} (nobody has checked that name)</dd>`
      }
        <dt>Can use</dt><dd>${scopesView(scopes)}</dd>
        <dt>Since</dt><dd>${instantView(since)}</dd>
        <dt>Registration</dt><dd><code>${id}</code></dd>
      </dl>
      ${askedOnceView({
        verb: 'End access',
        keep: 'Keep access',
        ofWhich: `of registration ${id}`,
        consequence:
          'If you end it, the agent loses its access at once, and for good. To come back it has to ask you again.',
        action: PATHS.connections,
        fields: html`<input type="hidden" name="csrf_token" value="${csrfToken}">
          <input type="hidden" name="registration_id" value="${id}">`,
      })}
    </section>`;
}

/** A first sign-in to an account that a provider made asks: keep its link, or end it (wire contract §3). */
export function linkReviewView(view: {
  readonly signedInAs: string;
  readonly providerName: string;
  /** What its agents call themselves. */
  readonly agentNames: readonly string[];
  readonly returnTo: string;
  readonly csrfToken: string;
}) {
  return html`
    <h1>Keep the link to ${view.providerName}?</h1>
    <p>Your account <strong>${view.signedInAs}</strong> was created when an agent of
      <strong>${view.providerName}</strong> registered on your behalf. It has access to this account
      until you end it.</p>${view.agentNames.map(ownWords)}
    <form method="post" action="${PATHS.linkReview}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${view.returnTo}">
      <p class="actions">
        <button name="decision" value="keep">Keep</button>
        <button name="decision" value="end" class="secondary">End</button>
      </p>
    </form>`;
}
