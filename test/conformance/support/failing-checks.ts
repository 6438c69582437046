import type { CheckResult, ScenarioResult } from '../../../src/conformance/index.ts';

/** The checks that are not as they have to be: what a fault must cause, and nothing else. */
export function failingChecks(results: readonly ScenarioResult[]): readonly string[] {
  return withStatus(results, ['fail', 'warn']).map(({ id }) => id);
}

export function withStatus(
  results: readonly ScenarioResult[],
  statuses: readonly CheckResult['status'][],
): readonly CheckResult[] {
  return results.flatMap(({ checks }) => checks).filter(({ status }) => statuses.includes(status));
}
