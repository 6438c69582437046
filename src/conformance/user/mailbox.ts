import type { Clock, Sleep } from '../../runtime/index.ts';

export interface MailboxOptions {
  /** The text of the newest mail to an email address; empty where there is none. */
  readonly read: (email: string) => Promise<string>;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Milliseconds that a mail is waited for. 0: it is looked for once. */
  readonly patience: number;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2000;

/** The mails of the users of a run. */
export class Mailbox {
  readonly #options: MailboxOptions;
  /** The newest mail of each address that has been read. */
  readonly #read = new Map<string, string>();

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Before a mail is asked for: what is there now is none that answers. */
  async note(email: string): Promise<void> {
    this.#read.set(email, await this.#options.read(email));
  }

  /**
   * What is found in a mail that has come since; undefined when none comes in time.
   * @param find What is looked for in its text.
   * @param within Milliseconds, where less than the patience is enough.
   */
  async next<Found>(
    email: string,
    find: (mail: string) => Found | undefined,
    within = Number.POSITIVE_INFINITY,
  ): Promise<Found | undefined> {
    const { clock, patience, read, sleep } = this.#options;
    const end = clock.now() + Math.min(patience, within);
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const mail = await read(email);
      const found = mail === (this.#read.get(email) ?? '') ? undefined : find(mail);
      if (found !== undefined) {
        this.#read.set(email, mail);
        return found;
      }
      const left = end - clock.now();
      if (left <= 0) return undefined;
      await sleep(Math.min(pause, left));
    }
  }
}
