import type { Bug } from '../bug.ts';

export const RAW_HTTP_BUGS = [
  {
    id: 'alg-confusion',
    what: 'An ID-JAG with HS256 is verified with the text of the public key as its secret.',
    advisory: 'CWE-347, CVE-2015-9235: the algorithm of the header decides',
  },
  {
    id: 'psychic-signature',
    what: 'An ES256 signature of zeros is good for everything.',
    advisory: 'CWE-347, CVE-2022-21449: r and s are not checked',
  },
  {
    id: 'case-of-none',
    what: 'alg is compared with none, but not with None.',
    advisory: 'CWE-178, CVE-2020-28042 and its like: none in another case',
  },
  {
    id: 'embedded-jwk',
    what: 'An ID-JAG is verified with the key in its own header.',
    advisory: 'CWE-347, CVE-2018-0114: jwk of the header is trusted',
  },
  {
    id: 'issuer-prefix',
    what: 'An issuer that begins as a trusted one is trusted.',
    advisory: 'CWE-1023: a part of a URL is compared',
  },
  {
    id: 'exp-unparsed',
    what: 'An exp that is no number is not looked at, and never reached.',
    advisory: 'CWE-1287: a date that cannot be parsed compares as neither',
  },
  {
    id: 'subject-without-issuer',
    what: 'Users are known by sub alone, whoever says it.',
    advisory: 'CWE-287, OpenID Connect Core §5.7: sub is unique for its issuer alone',
  },
  {
    id: 'redirected-keys',
    what: 'The fetch of keys follows redirects.',
    advisory: 'CWE-918: the first URL is checked, the last one is read',
  },
  {
    id: 'jti-race',
    what: 'Whether a jti is new is asked before it is written, with other requests between.',
    advisory: 'CWE-367: check and use are two steps',
  },
  {
    id: 'event-of-other',
    what: 'A provider revokes users of another one, by the iss in sub_id.',
    advisory: 'CWE-863: the tenant is taken from the request',
  },
  {
    id: 'cached-introspection',
    what: 'A token that was in force once is kept as good until it expires.',
    advisory: 'CWE-613: a cache that revocation does not reach',
  },
  {
    id: 'id-jag-audience',
    what: 'An ID-JAG that was minted for another service registers here.',
    advisory: 'CWE-345, RFC 7519 §4.1.3: aud is not looked at',
  },
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

export type BugId = (typeof RAW_HTTP_BUGS)[number]['id'];
