import { describe, expect, it } from 'vitest';
import { judge } from '../judged/judge.ts';
import { RAW_HTTP } from '../judged/judged-services.ts';
import { PASSWORD_SIGN_IN, PASSWORD_SIGN_IN_CASES } from './password-sign-in-cases.ts';

const judged = {
  ...RAW_HTTP,
  options: { ...RAW_HTTP.options, selection: { only: [PASSWORD_SIGN_IN] } },
};

describe('a sign-in with a password', () => {
  it('passes all of its checks where it is right', async () => {
    const { report } = await judge(judged);
    const checks = report.scenarios.flatMap((scenario) => scenario.checks);
    const passed = checks.filter(({ status }) => status === 'pass').map(({ id }) => id);
    const all = Object.values(PASSWORD_SIGN_IN_CASES).flatMap((each) => [
      ...each.failed,
      ...each.warned,
    ]);
    expect(passed.toSorted()).toEqual(all.toSorted());
  });

  it.each(Object.entries(PASSWORD_SIGN_IN_CASES))(
    'with the bug %s is caught by its check alone',
    async (bug, expected) => {
      const { failed, warned, untestable } = await judge(judged, bug);
      expect({ failed, warned, untestable }).toEqual({ ...expected, untestable: [] });
    },
  );
});
