import type { Clock } from '../../runtime/ports.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { claimLink } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { OpenedAttempt, ServiceDialect } from '../dialects/dialect.ts';
import type { MailStore } from '../store/mail-store.ts';

/** What mails are written and sent with. */
interface MailParts {
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly dialect: Pick<ServiceDialect, 'codeMail'>;
  readonly mails: MailStore;
}

/**
 * Sends the code of an attempt that was opened to its user, where the dialect has a mail for it. Not in the
 * transaction of the attempt, as no mail is: one that got lost is asked for again with a new attempt.
 */
export async function mailCode(
  { clock, config, dialect, mails }: MailParts,
  about: {
    readonly facts: RegistrationFacts;
    readonly attempt: OpenedAttempt;
    readonly email: string | undefined;
  },
): Promise<void> {
  const { attempt, email: to, facts } = about;
  if (dialect.codeMail === undefined || to === undefined) return;
  const { issuer, name: serviceName } = config;
  const mail = dialect.codeMail({ ...about, serviceName }, { issuer, now: clock.now() });
  await mails.send({
    ...mail,
    to,
    userCode: attempt.userCode,
    link: claimLink(issuer, attempt.token),
    registrationId: facts.id,
  });
}
