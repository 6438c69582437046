import { describe } from 'vitest';
import { MAILED_CODES_BUGS } from '../services/mailed-codes/bugs.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';
import { mailedCodes } from './judged-services.ts';

const SERVICE = mailedCodes();

/** What it does otherwise, and may. */
const WARNINGS = {
  'bearer.repeated': 'reads the first of two Authorization headers, as Node does',
  'event-transport.method': 'answers 404 where a method has no route',
  'hostile-json.duplicates': 'JSON.parse takes the last of two members',
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'id-jag-claims.optional-types': 'does not look at claims that it does not use',
  'id-jag-scope.bound-resource': 'has one resource, and binds no token',
  'methods.status': 'answers 404 where a method has no route',
  'resource-metadata.resource-name': 'has no name for users',
  'server-metadata.id-jag-profile': 'does not list the profile',
  'service-keys.thumbprints': 'draws the names of its keys',
};

/** Bug → what the suite says of it. */
const OUTCOMES: Outcomes = {
  'code-of-anybody': { finds: 'mailed-sign-in.own-code' },
  'code-twice': { finds: 'mailed-sign-in.once' },
  'code-guessed': { finds: 'mailed-sign-in.guesses' },
  'link-signs-in-asker': { finds: 'mailed-sign-in.opened-link' },
  'link-by-forwarded-host': { finds: 'mailed-sign-in.link-host' },
  'folded-email': { finds: 'mailed-sign-in.look-alike' },
  'deny-with-code-approves': { finds: 'id-jag-denial.still-asked' },
  'pending-is-delegation': { finds: 'id-jag-denial.still-asked' },
  'open-to-any-mailbox': { finds: 'confirmation-reopen.owner-alone' },
  'approve-by-anybody': { finds: 'confirmation-reopen.owner-alone' },
  'reflected-cors': { finds: 'cors.credentials' },
  'verbose-errors': { warns: 'error-leaks.internals' },
  'echoed-assertion': { finds: 'error-texts.characters' },
  'token-in-query': { warns: 'bearer.query' },
  'host-in-metadata': { finds: 'hostile-headers.forwarded' },
  'public-cache': { warns: 'cache-headers.calls' },
  'scope-widened': { finds: 'token-scope.beyond' },
  'stateless-tokens': { finds: 'revocation.at-once' },
  'open-redirect': { finds: 'sign-in-redirects.after-sign-in' },
  'no-csrf': { finds: 'completion-forgery.foreign-page' },
  'metadata-media-type': { finds: 'resource-metadata.media-type' },
};

describe('a right service with mailed codes', () => {
  itIsRight(SERVICE, WARNINGS);
});

describe('a bug of a right service with mailed codes', () => {
  itShowsBugs(SERVICE, MAILED_CODES_BUGS, OUTCOMES, WARNINGS);
});
