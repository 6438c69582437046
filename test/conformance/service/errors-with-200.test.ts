import { expect, it } from 'vitest';
import { withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';

it('takes no error with status 200 for an attack that works, and fails its status', async () => {
  const scenarios = [
    'id-jag-claims',
    'id-jag-replay',
    'id-jag-audience',
    'id-jag-issuer',
    'assertion-attacks',
    'event-refusals',
    'error-leaks',
  ];
  const failed = withStatus(await judgeMock([], scenarios, { server: 'errorsWith200' }), ['fail']);
  expect(failed.filter(({ attack }) => attack !== undefined).map(({ id }) => id)).toEqual([]);
  const status = failed.find(({ id }) => id === 'error-leaks.status');
  const wrong = status?.findings.length ?? 0;
  expect(wrong + (status?.moreFindings ?? 0)).toBeGreaterThan(8);
});
