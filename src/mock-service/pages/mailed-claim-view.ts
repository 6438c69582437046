import { html, type View } from '../../mock/pages/html.ts';
import { PATHS } from '../config/paths.ts';
import { type ClaimQuestion, questionView } from './claim-question.ts';

/** Behind the link of a mail with a code: what the code is for. It is denied here, and approved at the agent. */
export function mailedClaimView(view: ClaimQuestion): View {
  return html`${questionView(view)}
    <p>To approve, read the code from the mail to your agent. Give it to no one else.</p>
    <form method="post" action="${PATHS.claimPage}">
      <input type="hidden" name="csrf_token" value="${view.csrfToken}">
      <input type="hidden" name="claim_attempt_token" value="${view.attemptToken}">
      <p class="actions">
        <button name="decision" value="deny" class="secondary">Deny</button>
      </p>
    </form>`;
}
