import type { CheckResult, Report, ScenarioResult, Status } from '../model.ts';
import { plainLines, plainText } from './plain-text.ts';
import {
  byReason,
  exchangeOf,
  exchangeText,
  levelRows,
  verdictLine,
  withStatus,
} from './report-view.ts';

/** For the summary of a CI job: the verdict, the counts, then what is wrong with its exchange. */
export function renderMarkdown(report: Report): string {
  const { fail, untestable } = report.summary.checks;
  const red = fail + untestable > 0;
  const lines = [
    `## ${red ? '❌ Does not conform' : '✅ Conforms'}: ${report.role} ${code(report.target)}`,
    '',
    `${verdictLine(report)}.`,
    '',
    '| level | passed | failed | untestable | warned | skipped |',
    '|---|---:|---:|---:|---:|---:|',
    ...levelRows(report).map(
      ({ level, counts }) =>
        `| ${level} | ${counts.pass} | ${counts.fail} | ${counts.untestable} | ${counts.warn} | ${counts.skip} |`,
    ),
    ...section(report, 'fail', 'Failed'),
    ...reasons(report, 'untestable', 'Could not be tested'),
    ...section(report, 'warn', 'Warnings'),
    ...reasons(report, 'skip', 'Skipped'),
  ];
  return `${lines.join('\n')}\n`;
}

function section(report: Report, status: Status, title: string): readonly string[] {
  const found = report.scenarios.flatMap((scenario) =>
    withStatus(scenario, status).flatMap((check) => checkBlock(scenario, check)),
  );
  return found.length === 0 ? [] : ['', `### ${title}`, '', ...found];
}

function checkBlock(scenario: ScenarioResult, check: CheckResult): readonly string[] {
  const [first] = check.findings;
  const exchange = first && exchangeOf(scenario, first);
  return [
    '<details>',
    `<summary>${html(check.title)} <code>${html(check.id)}</code></summary>`,
    '',
    `${check.level} · ${check.sources.map(inline).join(', ')}`,
    '',
    ...check.findings.flatMap((finding) => [
      `- expected: ${inline(finding.expected)}`,
      `  seen: ${code(finding.seen)}`,
    ]),
    ...(check.moreFindings > 0 ? [`- and ${check.moreFindings} more like it`] : []),
    '',
    ...(exchange === undefined ? [] : [...fenced(plainLines(exchangeText(exchange))), '']),
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
    ...[...byReason(checks)].map(
      ([reason, group]) =>
        `- ${inline(reason)} (${group.length}: ${[...new Set(group.map(({ id }) => code(id.split('.')[0] ?? id)))].join(', ')})`,
    ),
  ];
}

/** Text that stays text, whatever the judged peer wrote into it. */
function inline(text: string): string {
  return plainText(text).replace(/[\\`*_{}[\]<>()#+\-.!|&~@:]/g, (character) =>
    character === '<' || character === '>' || character === '&'
      ? html(character)
      : /[.\-:()+!]/.test(character)
        ? character
        : `\\${character}`,
  );
}

/** A code span that no backtick inside can end; a pipe would end a cell. */
function code(text: string): string {
  const plain = plainText(text, 300).replaceAll('|', '¦');
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${plain} ${fence}`;
}

function fenced(text: string): readonly string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}http`, text, fence];
}

function html(text: string): string {
  return plainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
