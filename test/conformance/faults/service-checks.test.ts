import { describe, expect, it } from 'vitest';
import { checkIds, SERVICE_SCENARIOS } from '../../../src/conformance/index.ts';
import { SERVICE_FAULT_NAMES } from '../../../src/mock-service/index.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { serviceCases } from './cases.ts';
import { MAILED_SIGN_IN, MAILED_SIGN_IN_CASES } from './mailed-sign-in-cases.ts';
import { PASSWORD_SIGN_IN, PASSWORD_SIGN_IN_CASES } from './password-sign-in-cases.ts';

describe('a fault of the mock service', () => {
  it('is caught, each of them', () => {
    const told = new Set(serviceCases().map(({ fault }) => fault));
    expect(SERVICE_FAULT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe('a check of the service', () => {
  it('can be failed by a fault, each of them', () => {
    const ofMails = Object.values(MAILED_SIGN_IN_CASES);
    const ofPasswords = Object.values(PASSWORD_SIGN_IN_CASES).flatMap((each) => [
      ...each.failed,
      ...each.warned,
    ]);
    const ofMock = serviceCases().flatMap(({ fails }) => fails);
    const caught = new Set<string>([...ofMock, ...ofMails, ...ofPasswords]);
    expect(SERVICE_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('passes, each of them, when the mock has no fault', async () => {
    const results = await judgeMock();
    // The mock mails nothing, and has no passwords: the tests of these two scenarios see them pass.
    const judged = results.filter(({ id }) => id !== MAILED_SIGN_IN && id !== PASSWORD_SIGN_IN);
    expect(withStatus(judged, ['fail', 'warn', 'untestable', 'skip'])).toEqual([]);
    expect(results).toHaveLength(SERVICE_SCENARIOS.length);
  });
});
