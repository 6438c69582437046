/** One at a time can be switched on: each is a mistake that was made in a real service. */
export const BUGS = {
  'session-kept-at-sign-in':
    'Session fixation (CWE-384): the session id from before the sign-in is good after it.',
  'csrf-only-if-sent':
    'CSRF check skipped where the parameter is left out (CWE-352), as in many framework advisories.',
  'next-by-first-slash':
    'Open redirect after sign-in (CWE-601): a target counts as local if it starts with a slash.',
  'approve-by-anybody':
    'Insecure direct object reference (CWE-639): whoever is signed in completes the claim.',
  'tries-per-session': 'Guessing limit bound to the session, not to the code (CWE-307).',
  'approve-by-get':
    'State change by GET (CWE-352): the completion is routed for every method and reads the query.',
  'email-echoed-raw':
    'Reflected cross-site scripting (CWE-79): the sign-in page repeats the email.',
  'csrf-skipped-for-other-types':
    'Content-type confusion (CWE-352): any body that is no form is parsed as JSON, without the token.',
  'unknown-account-told':
    'Account enumeration (CWE-204): the first step of the sign-in names unknown addresses.',
  'password-of-the-step-before':
    'Authentication bypass between steps (CWE-287): the second step signs in whom its own form names.',
} as const;

export type Bug = keyof typeof BUGS;

export function bugOf(name: string | undefined): Bug | undefined {
  if (name === undefined) return undefined;
  if (name in BUGS) return name as Bug;
  throw new Error(`Unknown bug ${name}: one of ${Object.keys(BUGS).join(', ')}.`);
}
