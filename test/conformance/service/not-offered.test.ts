import { expect, it } from 'vitest';
import { startExpressDefaults } from '../services/express-defaults.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';

it('missed a trusted provider at a service that offers neither ID-JAGs nor events', async () => {
  const results = await judgeRunning(
    (options) => startExpressDefaults({ ...options, bug: 'anonymous-alone' }),
    0,
    { provider: {} },
  );
  const skipped = withStatus(results, ['skip', 'untestable']);
  expect(skipped.filter(({ needs }) => needs === '--provider-port')).toEqual([]);
  const reasonOf = (id: string) => skipped.find((check) => check.id === id)?.reason;
  expect(reasonOf('id-jag.taken')).toBe('The service does not offer identity_assertion.');
  expect(reasonOf('event-headers.alg-none')).toBe(
    'The service lists no revocation event in events_supported.',
  );
});
