import { describe, expect, it } from 'vitest';
import { judge } from '../judged/judge.ts';
import { mailedCodes } from '../judged/judged-services.ts';
import { MAILED_SIGN_IN, MAILED_SIGN_IN_CASES } from './mailed-sign-in-cases.ts';

function judged() {
  const service = mailedCodes();
  const selection = { only: [MAILED_SIGN_IN] };
  return { ...service, options: { ...service.options, selection } };
}

describe('a sign-in by mail', () => {
  it('passes all of its checks where it is right', async () => {
    const { report } = await judge(judged());
    const checks = report.scenarios.flatMap((scenario) => scenario.checks);
    const passed = checks.filter(({ status }) => status === 'pass').map(({ id }) => id);
    expect(passed.toSorted()).toEqual(Object.values(MAILED_SIGN_IN_CASES).toSorted());
  });

  it.each(Object.entries(MAILED_SIGN_IN_CASES))(
    'with the bug %s fails %s alone',
    async (bug, id) => {
      const { failed, untestable } = await judge(judged(), bug);
      expect({ failed, untestable }).toEqual({ failed: [id], untestable: [] });
    },
  );
});
