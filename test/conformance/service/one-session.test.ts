import { expect, it } from 'vitest';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';

it('accuses no service where a sign-in ends the session before', async () => {
  const results = await judgeMock([], ['owner-races', 'planted-session'], { server: 'oneSession' });
  expect(failingChecks(results)).toEqual([]);
  expect(withStatus(results, ['pass']).map(({ id }) => id)).toContain('owner-races.wrong-code');
});
