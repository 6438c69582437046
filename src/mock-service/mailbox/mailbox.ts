import type { Context } from '../../mock/http/request.ts';
import { json, wireProblem } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { wantsJson } from '../claim/claim-form.ts';
import { requireVisitor } from '../connections/connections.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Mail } from '../store/mail-store.ts';

/** How many mails are shown at once. */
const SHOWN = 50;

/**
 * `GET /mails`: the mailbox of the signed-in user, newest first, since no mail server carries what the mock
 * sends. A code in it is a secret of its user: nobody else's mail is shown. With `Accept: application/json`
 * for programs.
 */
export async function showMails(service: ServiceContext, c: Context): Promise<Response> {
  const asJson = wantsJson(c.req.raw);
  if (asJson && (await service.sessions.find(c))?.visitor === undefined) {
    throw wireProblem('complete', 'login_required');
  }
  const visit = await requireVisitor(service, c);
  if ('response' in visit) return visit.response;
  const { csrfToken, visitor } = visit;
  const mails = await service.mails.list({ to: visitor.email, limit: SHOWN });
  if (asJson) return json({ mails: mails.map(mailJson) });
  const isMailing = service.dialect.codeMail !== undefined;
  const body = service.views.mails({ signedInAs: visitor.email, csrfToken, mails, isMailing });
  return page(service.views.site, { title: 'Mails', body });
}

/** A mail for programs. The code comes before the text that has it, so that who records both knows it there. */
export function mailJson(mail: Mail): JsonObject {
  return {
    id: mail.id,
    sent_at: instant(mail.sentAt),
    to: mail.to,
    subject: mail.subject,
    user_code: mail.userCode ?? null,
    link: mail.link ?? null,
    text: mail.text,
    registration_id: mail.registrationId,
  };
}
