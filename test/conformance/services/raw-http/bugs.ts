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
] as const satisfies readonly Bug[];

export type BugId = (typeof RAW_HTTP_BUGS)[number]['id'];
