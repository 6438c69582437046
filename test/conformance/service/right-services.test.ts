import { describe, expect, it } from 'vitest';
import { unjudgedFlows } from '../../../src/conformance/engine/core.ts';
import { SERVICE_CORE } from '../../../src/conformance/service/core.ts';
import { startExpressDefaults } from '../services/express-defaults.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { judgeRunning } from '../support/judge-running.ts';

it('accuses no service where a sign-in ends the session before', async () => {
  const results = await judgeMock([], ['owner-races', 'planted-session'], { server: 'oneSession' });
  expect(failingChecks(results)).toEqual([]);
  expect(withStatus(results, ['pass']).map(({ id }) => id)).toContain('owner-races.wrong-code');
});

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

describe('a service with one known account', () => {
  it('is judged on claims, and the verdict says what more accounts would show', async () => {
    const results = await judgeMock([], ['anonymous', 'service-auth', 'polling', 'id-jag'], {
      emailPattern: 'alice@example.com',
    });
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    const passed = withStatus(results, ['pass']).map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining(['anonymous.claimed', 'service-auth.works', 'polling.raised']),
    );
    const checks = results.flatMap((result) => result.checks);
    expect(unjudgedFlows(SERVICE_CORE, checks)).toEqual([
      {
        story: 'a registration by an ID-JAG, to a call',
        why: expect.stringContaining('put {n} into --email'),
        option: '--email',
      },
    ]);
  });
});

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
