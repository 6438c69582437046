import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { BadTarget, checkIds, PROVIDER_SCENARIOS } from '../../../src/conformance/index.ts';
import { PROVIDER_FAULT_NAMES } from '../../../src/mock-provider/index.ts';
import type { Fetch } from '../../../src/runtime/index.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { judgeMockProvider } from '../support/judge-mock-provider.ts';
import { PROVIDER_FAULT_CASES } from './provider/index.ts';

const rows: string[] = [];

// The table is what `npm run test:faults` is for.
afterAll(() => {
  process.stdout.write(`\nfault of the provider → checks that fail\n${rows.join('\n')}\n`);
});

describe('a fault of the mock provider', () => {
  it.each(PROVIDER_FAULT_CASES)('$fault is caught by its checks, and by no other', async (row) => {
    const failing = failingChecks(await judgeMockProvider([row.fault], row.scenarios));
    rows.push(`${row.fault} → ${failing.join(', ') || 'nothing'}`);
    expect(failing.toSorted()).toEqual(row.fails.toSorted());
    expect(row.fails).not.toEqual([]);
  });

  it('unavailable is no provider at all', async () => {
    await expect(judgeMockProvider(['unavailable'])).rejects.toBeInstanceOf(BadTarget);
    rows.push('unavailable → the target is refused');
  });

  it('is caught, each of them', () => {
    const told = new Set([...PROVIDER_FAULT_CASES.map(({ fault }) => fault), 'unavailable']);
    expect(PROVIDER_FAULT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  });
});

/** What a provider does that believes any certificate. How it connects is an option of the mock. */
const BELIEVES_ANYBODY: FaultyConnection = {
  scenarios: ['event-address'],
  fails: ['event-address.tls'],
};

interface FaultyConnection {
  readonly scenarios: readonly string[];
  readonly fails: readonly string[];
}

describe('a provider that verifies no certificate', () => {
  it('is caught by its check, and by no other', async () => {
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const fetch: Fetch = async (url, init) =>
      (await undiciFetch(url, { ...init, dispatcher, redirect: 'manual' })) as unknown as Response;
    const { fails, scenarios } = BELIEVES_ANYBODY;
    const failing = failingChecks(await judgeMockProvider([], scenarios, fetch));
    rows.push(`a provider that verifies no certificate → ${failing.join(', ') || 'nothing'}`);
    expect(failing).toEqual(fails);
    await dispatcher.destroy();
  });
});

describe('a check of the provider', () => {
  it('can be failed by a fault, each of them', () => {
    const caught = new Set([
      ...PROVIDER_FAULT_CASES.flatMap(({ fails }) => fails),
      ...BELIEVES_ANYBODY.fails,
    ]);
    expect(PROVIDER_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('passes, each of them, when the mock has no fault', async () => {
    const results = await judgeMockProvider();
    expect(withStatus(results, ['fail', 'warn', 'untestable', 'skip'])).toEqual([]);
    expect(results).toHaveLength(PROVIDER_SCENARIOS.length);
  });
});
