import { AtomicStore, type ExpiredRows } from '../../mock/store/atomic-store.ts';
import { column, type Database, type Row } from '../../mock/store/database.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { MAIL_RETENTION } from './retention.ts';

/** A mail to a user, which no mail server carries. */
export interface NewMail {
  /** An email, normalized. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The one-time code in the text, for programs. */
  readonly userCode: string | undefined;
  /** The link in the text, for programs. */
  readonly link: string | undefined;
  /** What it is about. */
  readonly registrationId: string;
}

/** A mail that was sent. */
export interface Mail extends NewMail {
  readonly id: string;
  readonly sentAt: number;
}

interface MailQuery {
  /** Default: whoever they were sent to. */
  readonly to?: string | undefined;
  readonly limit: number;
}

export class MailStore extends AtomicStore {
  readonly #random: Random;

  constructor(db: Database, clock: Clock, expired: ExpiredRows, random: Random) {
    super(db, clock, expired);
    this.#random = random;
  }

  async send(mail: NewMail): Promise<void> {
    await this.change(async (tx, now) => {
      const sent: Mail = { ...mail, id: randomToken(this.#random, 'mail_'), sentAt: now };
      await tx.run(
        `INSERT INTO mails (seq, sent_to, expires_at, mail)
         VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM mails), ?, ?, ?)`,
        [mail.to, now + MAIL_RETENTION, JSON.stringify(sent)],
      );
    });
  }

  /** Newest first. */
  async list({ limit, to }: MailQuery): Promise<readonly Mail[]> {
    const condition = to === undefined ? '' : 'sent_to = ? AND';
    const rows = await this.read((reader, now) =>
      reader.all(
        `SELECT mail FROM mails WHERE ${condition} expires_at > ? ORDER BY seq DESC LIMIT ?`,
        [...(to === undefined ? [] : [to]), now, limit],
      ),
    );
    return rows.map(toMail);
  }
}

function toMail(row: Row): Mail {
  const mail = JSON.parse(column.text(row['mail'])) as Mail;
  return { ...mail, userCode: mail.userCode, link: mail.link };
}
