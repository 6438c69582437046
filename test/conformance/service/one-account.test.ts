import { describe, expect, it } from 'vitest';
import { unjudgedFlows } from '../../../src/conformance/engine/core.ts';
import { SERVICE_CORE } from '../../../src/conformance/service/core.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';

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
