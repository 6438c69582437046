import { describe } from 'vitest';
import { UNUSUAL_BUGS } from '../services/unusual/bugs.ts';
import { startUnusual } from '../services/unusual.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';

const SERVICE = { start: startUnusual };

/** What it does otherwise, and may. */
const WARNINGS = {
  'bearer.repeated': 'reads the first of two Authorization headers, as Node does',
  'event-headers.encoding': 'reads padded base64, as its library does',
  'hostile-json.duplicates': 'JSON.parse takes the last of two members',
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'id-jag-claims.optional-types': 'does not look at claims that it does not use',
  'id-jag-confirmation.never-silent':
    'establishes an identity as the row of the specification reads',
  'id-jag-headers.encoding': 'reads padded base64, as its library does',
  'identity-assertion.signed': 'its assertions are opaque',
  'polling.slow-down': 'holds polls a little instead',
  'server-metadata.id-jag-profile': 'does not list the profile',
};

/** Bug → what the suite says of it. */
const OUTCOMES: Outcomes = {
  oldLinkLives: { finds: 'reopen.old-attempt-over' },
  csrfShared: { warns: 'completion-forgery.token-needed' },
  framed: { finds: 'page-headers.not-framed' },
  expiredCompletes: { finds: 'attempt-expiry.late-code' },
  denialForgotten: { finds: 'denial.no-way-back' },
  denialUntold: { finds: 'denial.denied' },
  pageCached: { warns: 'page-headers.not-kept' },
  signOutOfBrowserOnly: { warns: 'sign-out.ended' },
  reopenResetsTries: { warns: 'wrong-codes.overall-limit' },
  codeByPrefix: { finds: 'whole-code.needed' },
  racyTries: { finds: 'parallel-limits.tries' },
  scopeMassAssigned: { finds: 'sent-members.scopes' },
  unsignedSession: { finds: 'readable-session.altered' },
  eventRefusedAgain: { finds: 'event-repeat.acknowledged' },
  unknownTokenRefused: { finds: 'revocation.unknown' },
};

describe('a right service that is unusual', () => {
  itIsRight(SERVICE, WARNINGS);
});

describe('a bug of a right service that is unusual', () => {
  itShowsBugs(SERVICE, UNUSUAL_BUGS, OUTCOMES, WARNINGS);
});
