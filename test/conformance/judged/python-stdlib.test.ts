import { describeWithPython } from '../../support/python.ts';
import { PYTHON_BUGS, startPython } from '../services/python-stdlib.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';

const SERVICE = { start: startPython };

/** What it does otherwise, and may. */
const WARNINGS = {
  'claim-page.first-agent': 'says the same of a first agent',
  'claim-start.login-hint': 'reads email alone',
  'completion-forgery.token-header': 'reads the token of a form in the form',
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'identity-assertion.signed': 'its assertions are opaque',
  'json-complete.claimed-before': 'tells another account that it is another one, claimed or not',
  'registration-types.older-form': 'knows no older clients',
  'revocation.assertion-kind': 'takes an assertion for a token that it does not know',
  'server-metadata.jwks-uri': 'signs nothing that others verify',
};

/** Bug → what the first screen shows of it. */
const OUTCOMES = {
  'unread-body': { finds: 'smuggling.refused-bodies' },
  'truncated-column': { finds: 'bearer-errors.refused' },
  'time-uuid': { finds: 'exchange.unguessable' },
  'any-secret': { finds: 'service-auth.nothing-before' },
} satisfies Outcomes;

describeWithPython('a right service in Python', () => {
  itIsRight(SERVICE, WARNINGS);
  itShowsBugs(SERVICE, PYTHON_BUGS, OUTCOMES, WARNINGS);
});
