import type { Bug } from '../bug.ts';

export const FASTIFY_BUGS = [
  {
    id: 'mass-assignment',
    what: 'Members of the request are copied onto the registration: pre_claim_scopes among them.',
    advisory: 'CWE-915',
  },
  {
    id: 'reflected-cors',
    what: 'Every Origin is allowed, with credentials.',
    advisory: 'CWE-942',
  },
  {
    id: 'verbose-errors',
    what: 'Errors of the framework are described by their stack.',
    advisory: 'CWE-209',
  },
  {
    id: 'echoed-assertion',
    what: 'The description of an error repeats the assertion.',
    advisory: 'CWE-209, CWE-532: what is in an answer is in logs',
  },
  {
    id: 'token-in-query',
    what: 'An access token in the query is taken.',
    advisory: 'CWE-598, RFC 6750 §5.3',
  },
  {
    id: 'host-in-metadata',
    what: 'The URLs of the metadata follow X-Forwarded-Host, in an answer that caches keep.',
    advisory: 'CWE-644, CWE-349: poisoned caches',
  },
  {
    id: 'public-cache',
    what: 'The answer of the protected resource may be kept by shared caches.',
    advisory: 'CWE-524, RFC 9111 §3.5',
  },
  {
    id: 'scope-widened',
    what: 'The scope that an exchange asks for is granted as it is.',
    advisory: 'CWE-269, CWE-863',
  },
  {
    id: 'stateless-tokens',
    what: 'An access token is good by its signature and exp alone, revoked or not.',
    advisory: 'CWE-613',
  },
] as const satisfies readonly Bug[];
