import { describe, expect, it } from 'vitest';
import { judgeMock } from '../../support/judge-mock.ts';

/** Takeovers, and the check that has to find each of them. */
const TAKEOVERS = {
  uncheckedClaimAccount: 'wrong-account.not-claimed',
  uncheckedSubmitAccount: 'wrong-account.form-refused',
  uncheckedSession: 'json-complete.nobody-completes',
  acceptedDeniedUserCode: 'denial.no-way-back',
  acceptedExpiredUserCode: 'attempt-expiry.late-code',
  extraCompletedClaims: 'unknown-claims.others-untouched',
  uncheckedUserCode: 'reopen.old-code-over',
};

describe('a service that looks at the pace of a poll before the state of its claim', () => {
  it.each(Object.entries(TAKEOVERS))('does not hide %s', async (fault, check) => {
    const [scenario = ''] = check.split('.');
    const results = await judgeMock(['extraSlowDownAfterClaim', fault], [scenario]);
    const found = results.flatMap(({ checks }) => checks).find(({ id }) => id === check);
    expect(found?.status).toMatch(/^(fail|warn)$/);
  });
});
