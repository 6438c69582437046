import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { json } from '../../mock/http/replies.ts';
import { page } from '../../mock/pages/page.ts';
import { wantsJson } from '../claim/wants-json.ts';
import { requireVisitor } from '../connections/require-visitor.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { mailJson } from '../mails/mail-json.ts';

/** So many are shown at once. */
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
  const isMailing = service.dialect.letter !== undefined;
  const body = service.views.mails({ signedInAs: visitor.email, csrfToken, mails, isMailing });
  return page(service.site, { title: 'Mails', body });
}
