import type { Clock, Sleep } from '../../runtime/index.ts';

/** Lines of a mail's head; its subject may hold the code. */
const HEAD = /^(?!subject:)[\w-]+:[^\n]*(?:\n[ \t]+[^\n]*)*\n?/gim;
const URLS = /https?:\/\/[^\s"'<>()[\]]+/g;
/** Dates and times. */
const TIMES = /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?\b/g;
/** `123 456`, `123456`, `AB12-CD34`, `K7PQ2`, `KXPQRT`. */
const CANDIDATE =
  /(?<![\w-])(?:\d{3}[ -]\d{3}|\d{4,10}|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6})+|(?=[A-Z]*\d)[A-Z0-9]{5,12}|[A-Z]{6,8})(?![\w-])/g;
const CODE_WORD = /\b(?:code|pin|otp|passcode|password)\b/gi;
/** How many characters the end of a sentence is worth. */
const SENTENCE = 200;

/** The code of a mail, or the output that is nothing but one; undefined where it has none. */
export function codeIn(mail: string): string | undefined {
  const text = mail.trim();
  if (/^[^\s:/]{3,64}$/.test(text)) return text;
  const said = bodyOf(mail).replace(URLS, ' ').replace(TIMES, ' ');
  const words = [...said.matchAll(CODE_WORD)];
  const found = [...said.matchAll(CANDIDATE)].flatMap((candidate) => {
    const distances = words.map((word) => distance(said, word, candidate));
    // Letters alone are a code only where the mail says so.
    const far = /\d/.test(candidate[0]) ? 1000 + candidate.index : Number.POSITIVE_INFINITY;
    const nearest = Math.min(far, ...distances.filter((each) => each < SENTENCE));
    return Number.isFinite(nearest) ? [{ code: candidate[0], nearest }] : [];
  });
  return found.sort((one, other) => one.nearest - other.nearest)[0]?.code;
}

function distance(text: string, one: RegExpMatchArray, other: RegExpMatchArray): number {
  const [first, last] = (one.index ?? 0) < (other.index ?? 0) ? [one, other] : [other, one];
  const between = text.slice((first.index ?? 0) + first[0].length, last.index);
  return between.length + (/[.!?]\s/.test(between) ? SENTENCE : 0);
}

/** The link of a mail by which the page of that URL lets its user in; undefined where it has none. */
export function linkIn(mail: string, page: string): string | undefined {
  const found = (bodyOf(mail).match(URLS) ?? [])
    .map((url) => url.replace(/[.,;:!?]+$/, '').replaceAll('&amp;', '&'))
    .filter((url) => URL.canParse(url));
  const { hostname, origin } = new URL(page);
  return (
    found.find((url) => new URL(url).origin === origin) ??
    found.find((url) => new URL(url).hostname === hostname) ??
    found[0]
  );
}

/** A mail without the lines of its head, where it has one. */
function bodyOf(mail: string): string {
  const text = mail.replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? '' : text.slice(0, end);
  const isHead = head !== '' && head.split('\n').every((line) => /^(?:[\w-]+:|[ \t])/.test(line));
  return isHead ? head.replace(HEAD, '') + text.slice(end) : text;
}

interface MailboxOptions {
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
