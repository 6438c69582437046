import type { CheckResult, Report, ScenarioResult, Status } from '../engine/model.ts';
import { code, fenced, html, inline } from './markdown-text.ts';
import {
  byReason,
  exchangesOf,
  exchangeText,
  expectedBeyond,
  headline,
  isGood,
  levelRows,
  scoreLine,
  verdictLine,
  verdictReasons,
  withStatus,
} from './report-view.ts';

/** How much of each check is shown. */
interface Detail {
  readonly exchanges: number;
  readonly findings: number;
}

/** Most first. */
const DETAILS: readonly Detail[] = [
  { exchanges: 8, findings: 8 },
  { exchanges: 1, findings: 8 },
  { exchanges: 0, findings: 8 },
];
const LEAST: Detail = { exchanges: 0, findings: 1 };

/** A job summary of GitHub that is longer than 1 MiB is not shown at all. */
const MAX_BYTES = 1_000_000;

/**
 * For the summary of a CI job: the verdict, the counts, then what is wrong with its exchanges, as many of
 * them as fit into what GitHub shows.
 */
export function renderMarkdown(report: Report): string {
  const fitting = DETAILS.find(
    (detail) => Buffer.byteLength(markdown(report, detail)) <= MAX_BYTES,
  );
  return markdown(report, fitting ?? LEAST);
}

function markdown(report: Report, detail: Detail): string {
  const lines = [
    `## ${isGood(report) ? '✅' : '❌'} ${headline(report)}: ${report.role} ${code(report.target)}`,
    '',
    ...verdictReasons(report),
    `${scoreLine(report)}. ${verdictLine(report)}. Seed ${report.seed}.`,
    '',
    '| level | passed | failed | untestable | warned | skipped |',
    '|---|---:|---:|---:|---:|---:|',
    ...levelRows(report).map(
      ({ level, counts }) =>
        `| ${level} | ${counts.pass} | ${counts.fail} | ${counts.untestable} | ${counts.warn} | ${counts.skip} |`,
    ),
    ...section(report, 'fail', 'Failed', detail),
    ...reasons(report, 'untestable', 'Could not be tested'),
    ...section(report, 'warn', 'Warnings', detail),
    ...reasons(report, 'skip', 'Skipped'),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(report: Report, status: Status, title: string, detail: Detail): readonly string[] {
  const found = report.scenarios.flatMap((scenario) =>
    withStatus(scenario, status).flatMap((check) => checkBlock(scenario, check, detail)),
  );
  return found.length === 0 ? [] : ['', `### ${title}`, '', ...found];
}

function checkBlock(
  scenario: ScenarioResult,
  check: CheckResult,
  detail: Detail,
): readonly string[] {
  const findings = check.findings.slice(0, detail.findings);
  const rest = check.findings.length + check.moreFindings - findings.length;
  const all = exchangesOf(scenario, check);
  const shown = all.slice(0, detail.exchanges);
  const left = all.length - shown.length;
  return [
    '<details>',
    `<summary>${html(check.title)} <code>${html(check.id)}</code></summary>`,
    '',
    `${check.level} · ${check.sources.map(inline).join(', ')}`,
    '',
    ...findings.flatMap((finding) => {
      const expected = expectedBeyond(check, finding);
      const seen = `seen: ${code(finding.seen)}`;
      return expected === undefined
        ? [`- ${seen}`]
        : [`- expected: ${inline(expected)}<br>`, `  ${seen}`];
    }),
    ...(rest > 0 ? [`- and ${rest} more like it`] : []),
    '',
    ...shown.flatMap((exchange) => [...fenced(exchangeText(exchange)), '']),
    ...(left > 0 ? [`${left} more exchanges: too long for a summary.`, ''] : []),
    '</details>',
    '',
  ];
}

function reasons(report: Report, status: 'skip' | 'untestable', title: string): readonly string[] {
  const checks = report.scenarios.flatMap((scenario) => withStatus(scenario, status));
  if (checks.length === 0) return [];
  return [
    '',
    `### ${title}`,
    '',
    ...[...byReason(checks)].map(([reason, group]) => {
      const scenarios = [...new Set(group.map(({ id }) => id.split('.')[0] ?? id))];
      return `- ${inline(reason)} (${group.length}: ${scenarios.map(code).join(', ')})`;
    }),
  ];
}
