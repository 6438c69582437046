import { describe, expect, it } from 'vitest';
import { judgeMock } from './support/judge-mock.ts';

/** Takeovers, and the check that has to find each of them. */
const TAKEOVERS = {
  strangerMayClaim: 'wrong-account.not-claimed',
  strangerMayPost: 'wrong-account.form-refused',
  sessionUnneeded: 'json-complete.nobody-completes',
  deniedCodeAccepted: 'denial.no-way-back',
  lateCodeAccepted: 'attempt-expiry.late-code',
  claimsSpread: 'unknown-claims.others-untouched',
  anyCodeClaims: 'reopen.old-code-over',
};

describe('a service that looks at the pace of a poll before the state of its claim', () => {
  it.each(Object.entries(TAKEOVERS))('does not hide %s', async (fault, check) => {
    const [scenario = ''] = check.split('.');
    const results = await judgeMock(['slowDownForTokens', fault], [scenario]);
    const found = results.flatMap(({ checks }) => checks).find(({ id }) => id === check);
    expect(found?.status).toMatch(/^(fail|warn)$/);
  });
});
