import type { Bug } from '../bug.ts';

const bug = (id: string, what: string, advisory: string): Bug => ({ id, what, advisory });

/** Mistakes of sign-in by mail and of what a framework does, as they were published; one can be switched on. */
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
  bug(
    'approve-by-anybody',
    'Whoever is signed in and has the code completes the claim.',
    'CWE-639',
  ),
  bug('reflected-cors', 'Every Origin is allowed, with credentials.', 'CWE-942'),
  bug('verbose-errors', 'Errors of the framework are described by their stack.', 'CWE-209'),
  bug(
    'echoed-assertion',
    'The description of an error repeats the assertion.',
    'CWE-209, CWE-532: what is in an answer is in logs',
  ),
  bug('token-in-query', 'An access token in the query is taken.', 'CWE-598, RFC 6750 §5.3'),
  bug(
    'host-in-metadata',
    'The URLs of the metadata follow X-Forwarded-Host, in an answer that caches keep.',
    'CWE-644, CWE-349: poisoned caches',
  ),
  bug(
    'public-cache',
    'The answer of the protected resource may be kept by shared caches.',
    'CWE-524, RFC 9111 §3.5',
  ),
  bug(
    'scope-widened',
    'The scope that an exchange asks for is granted as it is.',
    'CWE-269, CWE-863',
  ),
  bug(
    'stateless-tokens',
    'An access token is good by its signature and exp alone, revoked or not.',
    'CWE-613',
  ),
  bug('open-redirect', 'After the sign-in the browser goes to whatever URL next holds.', 'CWE-601'),
  bug(
    'no-csrf',
    'Forms are taken from pages of anybody: neither token nor Origin counts, and the cookie has no SameSite.',
    'CWE-352',
  ),
  bug(
    'metadata-media-type',
    'The metadata of the resource is sent as what a file server makes of a name without ending.',
    'RFC 9728 §3.2',
  ),
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
