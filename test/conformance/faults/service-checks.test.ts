import { describe, expect, it } from 'vitest';
import { checkIds, SERVICE_SCENARIOS } from '../../../src/conformance/index.ts';
import { SERVICE_FAULT_NAMES } from '../../../src/mock-service/index.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { serviceCases } from './cases.ts';
import { MAILED_SIGN_IN, MAILED_SIGN_IN_CASES } from './mailed-sign-in-cases.ts';

describe('a fault of the mock service', () => {
  it('is caught, each of them', () => {
    const told = new Set(serviceCases().map(({ fault }) => fault));
    expect(SERVICE_FAULT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe('a check of the service', () => {
  it('can be failed by a fault, each of them', () => {
    const ofMails = Object.values(MAILED_SIGN_IN_CASES);
    const caught = new Set<string>([...serviceCases().flatMap(({ fails }) => fails), ...ofMails]);
    expect(SERVICE_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('passes, each of them, when the mock has no fault', async () => {
    const results = await judgeMock();
    // The mock mails nothing: `mailed-sign-in.test.ts` sees these pass.
    const judged = results.filter(({ id }) => id !== MAILED_SIGN_IN);
    expect(withStatus(judged, ['fail', 'warn', 'untestable', 'skip'])).toEqual([]);
    expect(results).toHaveLength(SERVICE_SCENARIOS.length);
  });
});
