import { describe } from 'vitest';
import { FASTIFY_BUGS, startFastify } from '../services/fastify.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';

const SERVICE = { start: startFastify };

/** What it does otherwise, and may. */
const WARNINGS = {
  'directory-jsonp.attachment': 'sends no Content-Disposition',
  'directory-requests.other-formats': 'leaves formats that it does not know to Fastify',
  'directory-requests.other-methods': 'Fastify answers other methods with 404',
  'event-headers.encoding': 'jose takes padding',
  'event-transport.method': 'Fastify answers other methods with 404',
  'hostile-json.duplicates': 'JSON.parse takes the last of two members',
  'id-jag-claims.optional-types': 'does not look at claims that it does not use',
  'id-jag-headers.encoding': 'jose takes padding',
  'id-jag-scope.bound-resource': 'binds a token to what its exchange asks for',
  'media-types.json-alone': 'Fastify reads text/plain, which fits no schema then',
  'methods.status': 'Fastify answers other methods with 404',
};

/** Bug → what the first screen shows of it. */
const OUTCOMES = {
  'mass-assignment': { finds: 'sent-members.scopes' },
  'reflected-cors': { finds: 'cors.credentials' },
  'verbose-errors': { warns: 'error-leaks.internals' },
  'echoed-assertion': { finds: 'error-texts.characters' },
  'token-in-query': { warns: 'bearer.query' },
  'host-in-metadata': { finds: 'hostile-headers.forwarded' },
  'public-cache': { warns: 'cache-headers.calls' },
  'scope-widened': { finds: 'token-scope.beyond' },
  'stateless-tokens': { finds: 'revocation.at-once' },
} satisfies Outcomes;

describe('a right service on Fastify', () => {
  itIsRight(SERVICE, WARNINGS);
  itShowsBugs(SERVICE, FASTIFY_BUGS, OUTCOMES, WARNINGS);
});
