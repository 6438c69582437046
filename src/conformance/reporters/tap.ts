import { stringify } from 'yaml';
import type { CheckResult, Report, ScenarioResult } from '../model.ts';
import { plainText } from './plain-text.ts';
import { exchangeLine, exchangeOf } from './report-view.ts';

/**
 * TAP 14. A warning is `ok` with diagnostics and `level` in them: consumers know no third outcome, and
 * `# TODO` would hide it as unfinished. What could not be tested is `not ok`.
 */
export function renderTap(report: Report): string {
  const checks = report.scenarios.flatMap((scenario) =>
    scenario.checks.map((check) => ({ scenario, check })),
  );
  const lines = [
    'TAP version 14',
    `1..${checks.length}`,
    ...checks.flatMap(({ scenario, check }, index) => testPoint(scenario, check, index + 1)),
  ];
  return `${lines.join('\n')}\n`;
}

function testPoint(
  scenario: ScenarioResult,
  check: CheckResult,
  number: number,
): readonly string[] {
  const bad = check.status === 'fail' || check.status === 'untestable';
  const skipped = check.status === 'skip' ? ` # SKIP ${escaped(check.reason ?? '')}` : '';
  const line = `${bad ? 'not ok' : 'ok'} ${number} - ${escaped(`${check.id}: ${check.title}`)}${skipped}`;
  if (check.status === 'pass' || check.status === 'skip') return [line];
  const diagnostics = stringify(
    {
      status: check.status,
      level: check.level,
      sources: check.sources,
      ...(check.reason === undefined ? {} : { reason: plainText(check.reason) }),
      findings: check.findings.map((finding) => {
        const exchange = exchangeOf(scenario, finding);
        return {
          expected: finding.expected,
          seen: plainText(finding.seen),
          ...(exchange && { exchange: exchangeLine(exchange) }),
        };
      }),
    },
    { lineWidth: 0 },
  );
  return [
    line,
    '  ---',
    ...diagnostics
      .trimEnd()
      .split('\n')
      .map((each) => `  ${each}`),
    '  ...',
  ];
}

/** `#` begins a directive, `\` escapes it. */
function escaped(text: string): string {
  return plainText(text).replace(/[\\#]/g, '\\$&');
}
