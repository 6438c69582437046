import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Mail } from '../store/mail-store.ts';

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
