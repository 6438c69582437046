import { html, instantView } from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import { agentNameView, ownWords } from './agent-name-view.ts';

export interface Connection {
  readonly id: string;
  /** A sentence's subject; a provider by its name from the trust list. */
  readonly who: string;
  /** What it calls itself. */
  readonly agentName: string | undefined;
  readonly scopes: readonly string[];
  readonly since: number;
}

/** Everything that has access to the signed-in user's account; **End** revokes one. */
export function connectionsView(view: {
  readonly signedInAs: string;
  readonly csrfToken: string;
  readonly connections: readonly Connection[];
}) {
  return html`
    <h1>Agents with access</h1>
    <p>Signed in as <strong>${view.signedInAs}</strong>.</p>
    ${
      view.connections.length === 0
        ? html`<p>No agent has access to this account.</p>`
        : view.connections.map((connection) => connectionCard(connection, view.csrfToken))
    }
    <form method="post" action="/logout">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${PATHS.connections}">
      <p class="actions"><button class="secondary">Sign out</button></p>
    </form>`;
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
        <dt>Can use</dt><dd>${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
        <dt>Since</dt><dd>${instantView(since)}</dd>
        <dt>Registration</dt><dd><code>${id}</code></dd>
      </dl>
      <form method="post" action="${PATHS.connections}">
        <input type="hidden" name="csrf_token" value="${csrfToken}">
        <input type="hidden" name="registration_id" value="${id}">
        <p class="actions"><button class="danger">End</button></p>
      </form>
    </section>`;
}

/** At the first sign-in to an account that a provider made: keep its link, or end it (wire contract §3). */
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
        <button name="decision" value="end" class="danger">End</button>
      </p>
    </form>`;
}
