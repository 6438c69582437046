import { describeWithPython } from '../../support/python.ts';
import { PYTHON_BUGS, startPython } from '../services/python-stdlib.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';

const SERVICE = { start: startPython };

/** What it does otherwise, and may. */
const WARNINGS = {
  'hostile-json.unstorable-text': 'does not look at members that it does not know',
  'identity-assertion.signed': 'its assertions are opaque',
  'revocation.assertion-kind': 'takes an assertion for a token that it does not know',
};

/** Bug → what the first screen shows of it. */
const OUTCOMES = {
  'unread-body': { finds: 'smuggling.refused-bodies' },
  'truncated-column': { finds: 'bearer-errors.altered', beside: ['revocation.at-once'] },
  'time-uuid': { finds: 'exchange.unguessable' },
  'any-secret': { finds: 'service-auth.nothing-before' },
} satisfies Outcomes;

describeWithPython('a right service in Python', () => {
  itIsRight(SERVICE, WARNINGS);
  itShowsBugs(SERVICE, PYTHON_BUGS, OUTCOMES, WARNINGS);
});
