import type { Bug } from '../bug.ts';

/** Each is known from a review or an issue of an implementation, or is what a reader of the drafts may miss. */
export const CROSS_APP_BUGS = [
  {
    id: 'audience-among-others',
    what: 'It takes a list of audiences that has its issuer among others.',
    advisory: 'ID-JAG §4.4.1',
  },
  {
    id: 'audience-prefix',
    what: 'It compares only the beginning of the audience.',
    advisory: 'CWE-187',
  },
  {
    id: 'audience-text-alone',
    what: 'It refuses a list of audiences that has its issuer alone.',
    advisory: 'ID-JAG §4.4.1',
  },
  { id: 'jti-unread', what: 'It answers 500 where jti is no text.', advisory: 'CWE-248' },
  {
    id: 'jti-forgotten',
    what: 'It redeems an ID-JAG as often as it is sent.',
    advisory: 'CWE-294',
  },
  { id: 'jti-race', what: 'It looks a jti up before it stores it.', advisory: 'CWE-367' },
  { id: 'any-issuer', what: 'It trusts any issuer that publishes keys.', advisory: 'CWE-346' },
  { id: 'no-credentials', what: 'It takes a client_id for its client.', advisory: 'CWE-306' },
  { id: 'any-client', what: 'It does not look at client_id in an ID-JAG.', advisory: 'CWE-863' },
  {
    id: 'resource-as-asked',
    what: 'It gives a token for the resource that is asked for, whatever the ID-JAG says.',
    advisory: 'RFC 8707 §2',
  },
  {
    id: 'scope-as-asked',
    what: 'It grants what is asked for, whatever the ID-JAG says.',
    advisory: 'EMA §7.2.1',
  },
  { id: 'key-ignored', what: 'It ignores cnf.', advisory: 'ID-JAG §9.8.1.2' },
] as const satisfies readonly Bug[];
