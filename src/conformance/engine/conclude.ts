import type { CheckBasis } from './catalog.ts';
import type { Verdict } from './judge.ts';
import type { CheckResult, Status } from './model.ts';

const MAX_FINDINGS = 8;

/** The result of a check. */
export function conclude(
  id: string,
  title: string,
  verdict: Verdict,
  basis: CheckBasis,
): CheckResult {
  const { failures, warnings, unjudged } = verdict;
  const findings = [...failures, ...warnings];
  const isOpen = findings.length === 0 && verdict.passed === 0;
  return {
    id,
    title,
    level: basis.level,
    section: basis.section,
    ...(basis.attack && { attack: basis.attack }),
    status: statusOf(verdict, basis),
    requirements: basis.requirements,
    sources: basis.sources,
    findings: findings.slice(0, MAX_FINDINGS),
    moreFindings: Math.max(0, findings.length - MAX_FINDINGS),
    ...(unjudged && isOpen && { reason: unjudged.reason }),
    ...(unjudged?.restsOn !== undefined && isOpen && { restsOn: unjudged.restsOn }),
    ...(unjudged?.needs !== undefined && isOpen && { needs: unjudged.needs }),
  };
}

/**
 * A broken must fails; anything weaker, and what another reading of the standards allows, only warns.
 */
function statusOf(
  { failures, warnings, passed, unjudged }: Verdict,
  { level }: CheckBasis,
): Status {
  if (failures.length > 0) return level === 'must' ? 'fail' : 'warn';
  if (warnings.length > 0) return 'warn';
  if (passed > 0) return 'pass';
  return unjudged?.status ?? 'untestable';
}
