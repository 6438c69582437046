import type { Bug } from '../bug.ts';

const bug = (id: string, what: string, advisory: string): Bug => ({ id, what, advisory });

/** Mistakes of sign-in by mail, as they were published; one can be switched on. */
export const MAILED_CODES_BUGS: readonly Bug[] = [
  bug('code-of-anybody', 'A mailed code is looked up alone, not with its address.', 'CWE-287'),
  bug(
    'code-twice',
    'A mailed code is good until it expires, however often it was used.',
    'CWE-294',
  ),
  bug('code-guessed', 'Nothing counts how often a mailed code is tried.', 'CWE-307'),
  bug(
    'link-signs-in-asker',
    'Opening the link signs in the browser that asked for it.',
    'CWE-290: mail scanners open every link',
  ),
  bug(
    'link-by-forwarded-host',
    'The link in the mail is built from X-Forwarded-Host.',
    'CWE-640, password reset poisoning',
  ),
  bug(
    'folded-email',
    'Addresses that look alike fold into one account, while the mail goes to the one that was typed.',
    'CWE-178, as in the reset mails of CVE-2019-19844',
  ),
  bug('deny-with-code-approves', 'A right code approves, whichever button sent it.', 'CWE-840'),
  bug(
    'pending-is-delegation',
    'A link that nobody confirmed yet counts for the next ID-JAG.',
    'CWE-862, pre-hijacking of accounts',
  ),
  bug('open-to-any-mailbox', 'The claim page compares the domain of the address only.', 'CWE-863'),
];

export class Switch {
  readonly #id: string | undefined;

  constructor(id: string | undefined) {
    this.#id = id;
  }

  is(id: string): boolean {
    return this.#id === id;
  }
}
