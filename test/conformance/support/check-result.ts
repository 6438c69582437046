import type { CheckResult } from '../../../src/conformance/index.ts';

/** A result with the least in it. */
export function checkResult(
  id: string,
  status: CheckResult['status'],
  more: Partial<CheckResult> = {},
): CheckResult {
  const wrong = status === 'fail' || status === 'warn';
  return {
    id,
    title: `${id} holds.`,
    level: 'must',
    section: 'standards',
    status,
    requirements: ['PRM-01'],
    sources: ['RFC 9728 §3.3'],
    findings: wrong ? [{ expected: `${id} holds.`, seen: 'It did not.' }] : [],
    moreFindings: 0,
    ...(status === 'skip' || status === 'untestable' ? { reason: `${id} was left.` } : {}),
    ...more,
  };
}
