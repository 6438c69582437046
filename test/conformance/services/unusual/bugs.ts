import type { Bug } from '../bug.ts';

const TABLE = {
  codeByPrefix: ['A code is right if the right one begins with it.', 'CWE-187, partial comparison'],
  oldLinkLives: ['A new attempt leaves the link and the code before it good.', 'CWE-613'],
  racyTries: [
    'Wrong codes are counted after the answer is made up.',
    'CWE-362, limit overrun by a race',
  ],
  pageCached: [
    'Pages of signed-in users may be kept by the browser.',
    'CWE-525, back after sign-out',
  ],
  signOutOfBrowserOnly: ['Sign-out deletes the cookie and keeps the session.', 'CWE-613'],
  scopeMassAssigned: ['A registration takes over every member of the request.', 'CWE-915'],
  unsignedSession: ['The user is in the cookie, whose signature nobody compares.', 'CWE-565'],
  csrfShared: ['All sessions share one anti-CSRF token.', 'CWE-352, tokens that are not bound'],
  framed: ['The claim page can be framed by anybody.', 'CWE-1021, clickjacking of consent'],
  reopenResetsTries: ['Each new attempt gives all tries anew, without end.', 'CWE-307'],
  expiredCompletes: ['The page knows when a code is over, its submission does not.', 'CWE-367'],
  denialForgotten: ['A denied claim can be approved afterwards with the same page.', 'CWE-841'],
  denialUntold: ['A poll after a denial is told to go on polling.', 'RFC 8628 §3.5'],
  eventRefusedAgain: ['An event that is delivered a second time is refused.', 'RFC 8935 §2'],
  unknownTokenRefused: ['Revoking a token that is unknown is an error.', 'RFC 7009 §2.2'],
} as const satisfies Readonly<Record<string, readonly [what: string, advisory: string]>>;

export type Oddity = keyof typeof TABLE;

export const UNUSUAL_BUGS: readonly Bug[] = Object.entries(TABLE).map(([id, [what, advisory]]) => ({
  id,
  what,
  advisory,
}));
