import type { CheckResult, Finding, ScenarioResult } from './model.ts';
import type { Scenario } from './scenario.ts';

/** A scenario that took longer is not repeated. Milliseconds. */
const QUICK = 5_000;

/** Whether a scenario is run once more before its red lines are kept. */
function isWorthRepeating(
  { checks, duration, exchanges, died }: ScenarioResult,
  { costly }: Pick<Scenario<never>, 'costly'>,
): boolean {
  return (
    checks.some(({ status }) => status === 'fail') &&
    costly !== true &&
    died === undefined &&
    duration <= QUICK &&
    !exchanges.some(({ response }) => response?.status === 429)
  );
}

/**
 * Runs a scenario, and where something failed once more before its red lines are kept. A repetition that is
 * broken off leaves what was judged before it.
 * @param onLeft Called with the first result where the second run rejects.
 */
export async function runConfirmed(
  scenario: Pick<Scenario<never>, 'costly'>,
  once: () => Promise<ScenarioResult>,
  again: () => Promise<ScenarioResult>,
  onLeft: (first: ScenarioResult) => void = () => {},
): Promise<ScenarioResult> {
  const first = await once();
  if (!isWorthRepeating(first, scenario)) return first;
  try {
    return confirm(first, await again());
  } catch (error) {
    onLeft(first);
    throw error;
  }
}

/**
 * A check that failed, and passed on fresh state, only warns, and says so: but no attack that succeeded once. What
 * the first run left because of it was judged by the second: that counts, with its exchanges.
 */
export function confirm(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  const now = new Map(second.checks.map((check) => [check.id, check]));
  const isUnrepeatable = ({ id, status, attack }: CheckResult) =>
    status === 'fail' && attack === undefined && now.get(id)?.status === 'pass';
  const gone = new Set(first.checks.filter(isUnrepeatable).map(({ id }) => id));
  const last = Math.max(0, ...first.exchanges.map(({ number }) => number));
  let isJoined = false;
  const checks = first.checks.map((check) => {
    if (gone.has(check.id)) return unrepeatable(check);
    const later = now.get(check.id);
    if (later === undefined || !gone.has(check.restsOn ?? '')) return check;
    isJoined = true;
    return { ...later, findings: later.findings.map((finding) => shifted(finding, last)) };
  });
  const moved = second.exchanges.map((each) => ({ ...each, number: each.number + last }));
  return {
    ...first,
    checks,
    duration: first.duration + second.duration,
    exchanges: isJoined ? [...first.exchanges, ...moved] : first.exchanges,
    ...(second.died !== undefined && { died: second.died }),
  };
}

function shifted(finding: Finding, by: number): Finding {
  return finding.exchange === undefined ? finding : { ...finding, exchange: finding.exchange + by };
}

function unrepeatable(check: CheckResult): CheckResult {
  const findings = check.findings.map((finding) => ({
    ...finding,
    seen: `Not repeatable, it was right when tried again: ${finding.seen}`,
  }));
  return { ...check, status: 'warn', findings };
}
