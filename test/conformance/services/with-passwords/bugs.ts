import type { Bug } from '../bug.ts';

/** One at a time can be switched on: each is a mistake that was made in a real service. */
export const WITH_PASSWORDS_BUGS = [
  {
    id: 'session-kept-at-sign-in',
    what: 'The session id from before the sign-in is good after it.',
    advisory: 'CWE-384, session fixation',
  },
  {
    id: 'csrf-only-if-sent',
    what: 'The anti-CSRF token is compared only where the parameter is sent.',
    advisory: 'CWE-352, as in many frameworks whose check skipped a missing parameter',
  },
  {
    id: 'next-by-first-slash',
    what: 'A target after the sign-in counts as local if it starts with a slash.',
    advisory: 'CWE-601, open redirect by //host',
  },
  {
    id: 'approve-by-anybody',
    what: 'Whoever is signed in and has the code completes the claim.',
    advisory: 'CWE-639, insecure direct object reference',
  },
  {
    id: 'tries-per-session',
    what: 'Wrong codes are counted for the session of the browser, not for the code.',
    advisory: 'CWE-307, as in limits by cookie or by address',
  },
  {
    id: 'approve-by-get',
    what: 'The completion is routed for GET as well, and reads the query.',
    advisory: 'CWE-352, a change of state by GET',
  },
  {
    id: 'email-echoed-raw',
    what: 'The sign-in page repeats what was typed as markup.',
    advisory: 'CWE-79, reflected cross-site scripting',
  },
  {
    id: 'csrf-skipped-for-other-types',
    what: 'Any body that is no form is read as JSON, and JSON is taken from everywhere.',
    advisory: 'CWE-352, CSRF by a text/plain body',
  },
  {
    id: 'unknown-account-told',
    what: 'The first step of the sign-in says which addresses have no account.',
    advisory: 'CWE-204, account enumeration',
  },
  {
    id: 'account-of-the-second-form',
    what: 'The second step checks the password of the first, and signs in whom its own form names.',
    advisory: 'CWE-287, authentication bypass between two steps',
  },
] as const satisfies readonly Bug[];

export type BugId = (typeof WITH_PASSWORDS_BUGS)[number]['id'];

export function bugOf(name: string | undefined): BugId | undefined {
  return WITH_PASSWORDS_BUGS.find(({ id }) => id === name)?.id;
}
