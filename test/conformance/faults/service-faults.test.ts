import { afterAll, describe, expect, it } from 'vitest';
import { checkIds, SERVICE_SCENARIOS } from '../../../src/conformance/index.ts';
import { SERVICE_FAULT_NAMES } from '../../../src/mock-service/index.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { SERVICE_FAULT_CASES } from './service/index.ts';

const rows: string[] = [];

// The table is what `npm run test:faults` is for.
afterAll(() => {
  process.stdout.write(`\nfault → checks that fail\n${rows.join('\n')}\n`);
});

describe('a fault of the mock service', () => {
  it.each(SERVICE_FAULT_CASES)('$fault is caught by its checks, and by no other', async (row) => {
    const results = await judgeMock(
      row.server ? [] : [row.fault, ...(row.with ?? [])],
      row.scenarios,
      row,
    );
    const failing = failingChecks(results);
    rows.push(`${row.fault} → ${failing.join(', ') || 'nothing'}`);
    expect(failing.toSorted()).toEqual(row.fails.toSorted());
    expect(row.fails).not.toEqual([]);
  });

  it('is caught, each of them', () => {
    const told = new Set(SERVICE_FAULT_CASES.map(({ fault }) => fault));
    expect(SERVICE_FAULT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe('a check of the service', () => {
  it('can be failed by a fault, each of them', () => {
    const caught = new Set(SERVICE_FAULT_CASES.flatMap(({ fails }) => fails));
    expect(SERVICE_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('passes, each of them, when the mock has no fault', async () => {
    const results = await judgeMock();
    expect(withStatus(results, ['fail', 'warn', 'untestable', 'skip'])).toEqual([]);
    expect(results).toHaveLength(SERVICE_SCENARIOS.length);
  });
});
