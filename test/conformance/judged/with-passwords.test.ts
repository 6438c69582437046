import { describe } from 'vitest';
import { WITH_PASSWORDS_BUGS } from '../services/with-passwords/bugs.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';
import { WITH_PASSWORDS } from './with-passwords-judged.ts';

const SERVICE = WITH_PASSWORDS;

/** What it does otherwise, and may. */
const WARNINGS = {
  'event-headers.encoding': 'reads padded base64, as its library does',
  'event-transport.method': 'answers 404 where a method has no route',
  'hostile-json.duplicates': 'JSON.parse takes the last of two members',
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'id-jag-claims.optional-types': 'does not look at claims that it does not use',
  'id-jag-headers.encoding': 'reads padded base64, as its library does',
  'methods.status': 'answers 404 where a method has no route',
  'service-keys.thumbprints': 'draws the names of its keys',
};

const OUTCOMES: Outcomes = {
  'session-kept-at-sign-in': { finds: 'session-ids.fixation' },
  'csrf-only-if-sent': { finds: 'completion-forgery.token-needed' },
  'next-by-first-slash': { finds: 'sign-in-redirects.after-sign-in' },
  'approve-by-anybody': { finds: 'confirmation-reopen.owner-alone' },
  'tries-per-session': { finds: 'wrong-codes.burnt' },
  'approve-by-get': { finds: 'completion-forgery.by-address' },
  'email-echoed-raw': { finds: 'page-injection.sign-in-form' },
  'csrf-skipped-for-other-types': { finds: 'completion-forgery.sibling-page' },
  'unknown-account-told': { warns: 'password-sign-in.unknown-alike' },
  'account-of-the-second-form': { finds: 'password-sign-in.own-account' },
};

describe('a right service with passwords', () => {
  itIsRight(SERVICE, WARNINGS);
});

describe('a bug of a right service with passwords', () => {
  itShowsBugs(SERVICE, WITH_PASSWORDS_BUGS, OUTCOMES, WARNINGS);
});
