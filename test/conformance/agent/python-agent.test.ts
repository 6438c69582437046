import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithPython } from '../../support/python.ts';
import { judgeCommand } from '../agents/judge-command.ts';
import { withStatus } from '../support/failing-checks.ts';

const AGENT = join(import.meta.dirname, '../agents/foreign/python-agent.py');

/** Registrations of two types, a claim, refusals of wrong documents, a 401, secrets. */
const SOME = [
  'agent-call',
  'agent-claim',
  'agent-service-auth',
  'agent-issuer-path',
  'agent-wrong-resource',
  'agent-foreign-endpoints',
  'agent-plain-http',
  'agent-refused-token',
  'agent-secrets',
];
/** Of processes only Linux tells. */
const SKIPPED = 'agent-secrets.arguments';

describeWithPython('a right agent in Python, strict about documents, URLs and times', () => {
  it('is judged by each of these scenarios, and has nothing to answer for', async () => {
    const results = await judgeCommand(['python3', AGENT], SOME);
    const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']);
    expect(odd.filter(({ id }) => id !== SKIPPED)).toEqual([]);
    expect(results.map(({ id }) => id).toSorted()).toEqual(SOME.toSorted());
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(40);
  });
});
