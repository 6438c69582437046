/** Mistakes of sign-in by mail, as they were published; one can be switched on. */
export const MAILED_BUGS: ReadonlyMap<string, string> = new Map([
  ['code-of-anybody', 'A mailed code is looked up by itself, not with its address (CWE-287).'],
  ['code-twice', 'A mailed code is good until it expires, however often it was used (CWE-294).'],
  ['code-guessed', 'Nothing counts how often a mailed code is tried (CWE-307).'],
  [
    'link-signs-in-asker',
    'Opening the link signs in the browser that asked: scanners open links (CWE-290).',
  ],
  ['link-by-forwarded-host', 'The link in the mail is built from X-Forwarded-Host (CWE-640).'],
  [
    'folded-email',
    'Addresses that look alike fold into one account, mail goes to the other (CWE-178).',
  ],
  ['deny-with-code-approves', 'A right code approves, whichever button was pressed (CWE-840).'],
  [
    'pending-is-delegation',
    'A link that nobody confirmed yet counts for the next ID-JAG (CWE-862).',
  ],
  ['open-to-any-mailbox', 'The claim page compares the domain of the address only (CWE-863).'],
]);

export class Bug {
  readonly #name: string | undefined;

  constructor(name: string | undefined) {
    if (name !== undefined && !MAILED_BUGS.has(name)) throw new Error(`Unknown bug: ${name}`);
    this.#name = name;
  }

  is(name: string): boolean {
    return this.#name === name;
  }
}
