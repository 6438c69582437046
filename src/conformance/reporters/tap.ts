import { stringify } from 'yaml';
import type { CheckResult, Finding, Report, ScenarioResult } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import {
  exchangeLine,
  exchangeOf,
  expectedBeyond,
  headline,
  inCauseOrder,
  scoreLine,
} from './report-view.ts';

/**
 * TAP 14. A warning is `ok`, with `status: warn` in its diagnostics: consumers know no third outcome,
 * and `# TODO` would hide it as unfinished. What could not be tested is `not ok`.
 */
export function renderTap(report: Report): string {
  const points = inCauseOrder(report).flatMap((scenario) =>
    scenario.checks.map((check) => ({ scenario, check })),
  );
  const lines = [
    'TAP version 14',
    `1..${points.length}`,
    `# ${plainText(headline(report))}. ${scoreLine(report)}`,
    `# seed ${report.seed}`,
    ...points.flatMap(({ scenario, check }, index) => testPoint(scenario, check, index + 1)),
  ];
  return `${lines.join('\n')}\n`;
}

function testPoint(
  scenario: ScenarioResult,
  check: CheckResult,
  number: number,
): readonly string[] {
  const outcome = ['fail', 'untestable'].includes(check.status) ? 'not ok' : 'ok';
  const line = `${outcome} ${number} - ${escaped(`${check.id}: ${check.title}`)}${directive(check)}`;
  if (check.status === 'pass' || check.status === 'skip') return [line];
  const yaml = stringify(diagnostics(scenario, check), { lineWidth: 0 }).trimEnd().split('\n');
  return [line, '  ---', ...yaml.map((each) => `  ${each}`), '  ...'];
}

/** What a baseline lists is what TAP calls a TODO: a failure that fails no run. */
function directive({ status, reason = '', known }: CheckResult): string {
  if (status === 'skip') return ` # SKIP ${escaped(reason)}`.trimEnd();
  return status === 'fail' && known !== undefined ? ` # TODO ${escaped(known)}`.trimEnd() : '';
}

function diagnostics(scenario: ScenarioResult, check: CheckResult): object {
  const { findings, moreFindings, reason } = check;
  return {
    status: check.status,
    level: check.level,
    sources: check.sources.map((source) => plainText(source)),
    ...(reason !== undefined && { reason: plainText(reason) }),
    ...(findings.length > 0 && {
      findings: findings.map((each) => diagnosis(scenario, check, each)),
    }),
    ...(moreFindings > 0 && { more_findings: moreFindings }),
  };
}

function diagnosis(scenario: ScenarioResult, check: CheckResult, finding: Finding): object {
  const expected = expectedBeyond(check, finding);
  const exchange = exchangeOf(scenario, finding);
  return {
    ...(expected !== undefined && { expected: plainText(expected) }),
    seen: plainText(finding.seen),
    ...(exchange !== undefined && { exchange: exchangeLine(exchange) }),
  };
}

/** `#` begins a directive, `\` escapes it. */
function escaped(text: string): string {
  return plainText(text).replace(/[\\#]/g, '\\$&');
}
