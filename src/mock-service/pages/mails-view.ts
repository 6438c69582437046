import { html, instantView } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';

/** A mail as its page shows it. */
interface ShownMail {
  readonly to: string;
  readonly subject: string;
  /** Lines; one that is the link is shown as one. */
  readonly text: string;
  readonly link: string | undefined;
  readonly sentAt: number;
}

/** The mailbox of the signed-in user. */
export function mailsView(view: {
  readonly signedInAs: string;
  readonly csrfToken: string;
  readonly mails: readonly ShownMail[];
  /** Whether the dialect has codes mailed at all. */
  readonly isMailing: boolean;
}) {
  const none = view.isMailing
    ? html`<p class="empty">No mail yet.</p>`
    : html`<p class="empty">None: this service mails nothing. In the dialect that it speaks, the agent or the page of the claim shows the code.</p>`;
  return html`
    <h1>Mails</h1>
    <p>What this service sent to <strong>${view.signedInAs}</strong>. No mail server carries it: it ends here.</p>
    ${view.mails.length === 0 ? none : view.mails.map(mailCard)}
    <form method="post" action="/logout">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="return_to" value="${PATHS.mails}">
      <p class="actions"><button class="secondary">Read mails of another user</button></p>
    </form>`;
}

function mailCard({ link, sentAt, subject, text, to }: ShownMail) {
  return html`
    <section class="card">
      <h2>${subject}</h2>
      <dl>
        <dt>To</dt><dd>${to}</dd>
        <dt>Sent</dt><dd>${instantView(sentAt)}</dd>
      </dl>
      <div class="letter">
${text
  .split('\n')
  .filter((line) => line !== '')
  .map(
    (line) => html`        <p>${line === link ? html`<a href="${line}">${line}</a>` : line}</p>\n`,
  )}
      </div>
    </section>`;
}
