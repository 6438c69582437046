import { column, type Database, type ExpiredRows, type Row } from '../../mock/index.ts';
import { type Clock, type Random, randomToken } from '../../runtime/index.ts';
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

export class MailStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #expired: ExpiredRows;

  constructor(db: Database, clock: Clock, random: Random, expired: ExpiredRows) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#expired = expired;
  }

  async send({ link, registrationId, subject, text, to, userCode }: NewMail): Promise<void> {
    const now = this.#clock.now();
    await this.#db.transaction(async (tx) => {
      await tx.run(
        `INSERT INTO mails (seq, id, registration_id, sent_to, subject, body, user_code, link, sent_at,
           expires_at)
         VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM mails), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          randomToken(this.#random, 'mail_'),
          registrationId,
          to,
          subject,
          text,
          userCode ?? null,
          link ?? null,
          now,
          now + MAIL_RETENTION,
        ],
      );
      await this.#expired.remove(tx, now);
    });
  }

  /** Newest first. */
  async list({ limit, to }: MailQuery): Promise<readonly Mail[]> {
    const now = this.#clock.now();
    const rows = await this.#db.read((reader) =>
      to === undefined
        ? reader.all('SELECT * FROM mails WHERE expires_at > ? ORDER BY seq DESC LIMIT ?', [
            now,
            limit,
          ])
        : reader.all(
            'SELECT * FROM mails WHERE sent_to = ? AND expires_at > ? ORDER BY seq DESC LIMIT ?',
            [to, now, limit],
          ),
    );
    return rows.map(toMail);
  }
}

function toMail(row: Row): Mail {
  return {
    id: column.text(row['id']),
    registrationId: column.text(row['registration_id']),
    to: column.text(row['sent_to']),
    subject: column.text(row['subject']),
    text: column.text(row['body']),
    userCode: column.optionalText(row['user_code']),
    link: column.optionalText(row['link']),
    sentAt: column.number(row['sent_at']),
  };
}
