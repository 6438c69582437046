import { afterEach, describe, expect, it } from 'vitest';
import { startMockProviderTarget } from '../../../src/conformance/index.ts';
import { fakeSleep, SeededRandom } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { type Judged, judgedMachine } from '../support/judged.ts';

let judged: Judged;
afterEach(() => judged?.close());

interface Printed {
  readonly id: string;
  readonly status: string;
}

function checksOf(report: Record<string, unknown> | undefined): readonly Printed[] {
  const scenarios = (report?.['scenarios'] ?? []) as readonly { checks: readonly Printed[] }[];
  return scenarios.flatMap(({ checks }) => checks);
}

describe('conformance provider', () => {
  it('judges a mock of its own, and every check passes', async () => {
    judged = await judgedMachine();
    const { code, json } = await judged.run(
      'conformance provider --mock --only mint,consent --json',
    );
    const checks = checksOf(json()[0]);
    expect(json()[0]).toMatchObject({ schema: 'agent-auth.conformance/1', role: 'provider' });
    expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
    expect(checks.length).toBeGreaterThan(20);
    expect(code).toBe(0);
  });

  it('sends nothing but what creates nothing with --safe', async () => {
    judged = await judgedMachine();
    const { code, json } = await judged.run('conformance provider --mock --safe --json');
    const checks = checksOf(json()[0]);
    const run = checks.filter(({ status }) => status === 'pass').map(({ id }) => id.split('.')[0]);
    expect([...new Set(run)]).toEqual([
      'provider-discovery',
      'client-document',
      'provider-connections',
      'idp-metadata',
      'provider-stays-up',
    ]);
    expect(checks.filter(({ status }) => !['pass', 'skip'].includes(status))).toEqual([]);
    expect(code).toBe(0);
  });

  it.each([
    ['no URL', 'conformance provider', 'provider_missing'],
    ['two targets', 'conformance provider http://127.0.0.1:1 --mock', 'options_clash'],
    [
      'a page of a mock of its own',
      'conformance provider --mock --consents-page x',
      'options_clash',
    ],
    [
      'a URL that is empty',
      'conformance provider http://127.0.0.1:1 --service-url=',
      'bad_address',
    ],
    ['a driver without its command', 'conformance provider --mock --user command', 'options_clash'],
  ])('refuses %s', async (_what, line, code) => {
    judged = await judgedMachine();
    const result = await judged.run(`${line} --json`);
    expect([result.code, result.stdout + result.stderr]).toEqual([
      2,
      expect.stringContaining(code),
    ]);
  });

  it('names a free port where that of --service-port is taken', async () => {
    judged = await judgedMachine();
    const { clock } = judged.machine;
    const mock = await startMockProviderTarget({
      clock,
      random: new SeededRandom(5),
      sleep: fakeSleep(clock),
      fetch: createSystemFetch(),
    });
    const taken = new URL(mock.target).port;
    const { code, json } = await judged.run(
      `conformance provider ${mock.target} --service-port ${taken} --json`,
    );
    await mock.close();
    expect(code).toBe(2);
    expect(json()[0]).toMatchObject({
      error: { code: 'listen_in_use' },
      port: Number(taken),
      free_port: expect.any(Number),
    });
  });

  it('reports in one line that nothing listens, and exits 7', async () => {
    judged = await judgedMachine();
    const { code, stderr } = await judged.run('conformance provider http://127.0.0.1:1');
    expect(code).toBe(7);
    expect(stderr).toContain('127.0.0.1:1');
  });
});
