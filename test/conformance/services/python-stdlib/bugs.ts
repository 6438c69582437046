import type { Bug } from '../bug.ts';

export const PYTHON_BUGS = [
  {
    id: 'unread-body',
    what: 'A request that no route takes is refused with its body unread, on a connection that stays open.',
    advisory: 'CWE-444',
  },
  {
    id: 'truncated-column',
    what: 'Of an access token the first 32 characters are stored and compared.',
    advisory: 'CWE-1023: a column that cuts what is written to it',
  },
  {
    id: 'time-uuid',
    what: 'Access tokens are UUIDs of the time and the machine.',
    advisory: 'CWE-340, RFC 9562 §8: the next one can be computed from the last',
  },
  {
    id: 'any-secret',
    what: 'A claim token is taken for an assertion: an agent has a token before its user has decided.',
    advisory: 'CWE-287, CWE-1270: secrets of two kinds in one table',
  },
] as const satisfies readonly Bug[];
