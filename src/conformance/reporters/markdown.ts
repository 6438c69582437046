import type { Cause, CheckResult, Report, ScenarioResult, TurnedCheck } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import type { SourceLink } from '../engine/source-link.ts';
import * as view from './report-view.ts';
import { byReason, causeSections, levelRows, remarksOf } from './report-view.ts';

/** How much of each check is shown. */
interface Detail {
  readonly exchanges: number;
  readonly findings: number;
}

/** How much is told of each cause, most first. */
const DETAILS: readonly Detail[] = [
  { exchanges: 8, findings: 8 },
  { exchanges: 1, findings: 8 },
  { exchanges: 0, findings: 8 },
];
const LEAST: Detail = { exchanges: 0, findings: 1 };

/** A job summary of GitHub that is longer than 1 MiB is not shown at all. */
const MAX_BYTES = 1_000_000;

/**
 * The summary for a CI job: the verdict and the scores, then what is wrong, one entry a cause, with as many
 * of their exchanges as fit into what GitHub shows; then the counts.
 */
export function renderMarkdown(report: Report): string {
  const fitting = DETAILS.find(
    (detail) => Buffer.byteLength(markdown(report, detail)) <= MAX_BYTES,
  );
  return markdown(report, fitting ?? LEAST);
}

function markdown(report: Report, detail: Detail): string {
  const lines = [
    `## ${view.isGood(report) ? '✅' : '❌'} ${view.headline(report)}: ${report.role} ${code(report.target)}${view.inDialect(report)}`,
    '',
    ...remarksOf(report).flatMap((each) => [inline(each), '']),
    `${view.scoreLine(report)}. ${view.verdictLine(report)}. Seed ${report.seed}.`,
    ...sinceBlock(report),
    ...causeSections(report).flatMap((section) => sectionBlock(report, section, detail)),
    ...countsTable(report),
    ...skipped(report),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Every check that turned: they are few, and somebody asked for them. */
function sinceBlock({ since }: Report): readonly string[] {
  if (since === undefined) return [];
  const line = (mark: string) => (check: TurnedCheck) =>
    `- ${mark} ${view.turnText(check)} ${code(check.id)} ${inline(check.title)}`;
  return [
    ...['', '### What changed', '', view.sinceText(since), ''],
    ...since.failsNow.map(line('❌')),
    ...since.passesNow.map(line('✅')),
  ];
}

function sectionBlock(
  report: Report,
  { heading, causes }: view.CauseSection,
  detail: Detail,
): readonly string[] {
  return [
    '',
    `### ${heading}`,
    '',
    ...causes.flatMap((cause) => causeBlock(report, cause, detail)),
  ];
}

function causeBlock(report: Report, cause: Cause, detail: Detail): readonly string[] {
  const checks = [...cause.checks, ...cause.resting];
  const expected = view.expectedOf(cause);
  const advice = view.adviceOf(cause);
  const { seen, tokens = [], repeat, known, sources, kind } = cause;
  const own = report.scenarios.flatMap((scenario) =>
    scenario.checks
      .filter(({ id }) => cause.checks.includes(id))
      .map((check) => ({ scenario, check })),
  );
  return [
    '<details>',
    `<summary>${html(cause.title)} <code>${html(view.checksOf(cause))}</code></summary>`,
    '',
    [cause.level, ...(sources.length > 0 ? [sources.map(linked).join(', ')] : [])].join(' · '),
    '',
    ...(known === undefined ? [] : [`- known: ${inline(known)}`]),
    ...(expected === undefined ? [] : [`- expected: ${inline(expected)}`]),
    ...(seen === undefined ? [] : [`- ${kind === 'missing' ? 'because' : 'seen'}: ${code(seen)}`]),
    ...tokens.map((token) => `- token: ${code(view.tokenText(token), 2000)}`),
    ...(advice === undefined ? [] : [`- add: ${code(advice)}`]),
    ...(checks.length > 1 ? [`- checks: ${checks.map((id) => code(id)).join(', ')}`] : []),
    ...(repeat === undefined
      ? []
      : ['', ...fenced(plainText(repeat, Number.POSITIVE_INFINITY), 'sh')]),
    '',
    ...own.flatMap(({ scenario, check }) => evidence(scenario, check, cause, detail)),
    '</details>',
    '',
  ];
}

/** What a check found, beyond the finding of its cause, and the exchanges that show it. */
function evidence(
  scenario: ScenarioResult,
  check: CheckResult,
  cause: Cause,
  detail: Detail,
): readonly string[] {
  const findings = check.findings.slice(0, detail.findings);
  const told = check.id === cause.checks[0] ? 1 : 0;
  const rest = check.findings.length + check.moreFindings - findings.length;
  const all = view.exchangesOf(scenario, check);
  const shown = all.slice(0, detail.exchanges);
  const left = all.length - shown.length;
  if (findings.length === 0) return [];
  return [
    ...(cause.checks.length > 1 ? [`${code(check.id)} ${inline(check.title)}`, ''] : []),
    ...findings.slice(told).map((finding) => {
      const expected = view.expectedBeyond(check, finding);
      const seen = `seen ${code(finding.seen)}`;
      return `- ${expected === undefined ? seen : `expected ${inline(expected)}; ${seen}`}`;
    }),
    ...(rest > 0 ? [`- and ${rest} more like it`] : []),
    ...(findings.length > told || rest > 0 ? [''] : []),
    ...shown.flatMap((exchange) => [...fenced(view.exchangeText(exchange)), '']),
    ...(left > 0 ? [`${left} more exchanges: too long for a summary.`, ''] : []),
  ];
}

function countsTable(report: Report): readonly string[] {
  return [
    '',
    '### Counts',
    '',
    '| level | passed | failed | untestable | warned | skipped |',
    '|---|---:|---:|---:|---:|---:|',
    ...levelRows(report).map(
      ({ level, counts }) =>
        `| ${level} | ${counts.pass} | ${counts.fail} | ${counts.untestable} | ${counts.warn} | ${counts.skip} |`,
    ),
  ];
}

function skipped(report: Report): readonly string[] {
  const checks = report.scenarios.flatMap((scenario) => view.withStatus(scenario, 'skip'));
  if (checks.length === 0) return [];
  return [
    '',
    '### Skipped',
    '',
    ...[...byReason(checks)].map(([reason, group]) => {
      const scenarios = [...new Set(group.map(({ id }) => id.split('.')[0] ?? id))];
      return `- ${inline(reason)} (${group.length}: ${scenarios.map((id) => code(id)).join(', ')})`;
    }),
  ];
}

function linked({ text, href }: SourceLink): string {
  return href?.startsWith('https://') ? `[${inline(text)}](${href})` : inline(text);
}

/**
 * Text that stays text, whatever the judged peer wrote into it: no markup, no tag, and no URL that is
 * linked automatically.
 */
export function inline(text: string): string {
  return html(text)
    .replace(/[\\`*_{}[\]#|~@]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
}

/** A code span that no backtick inside can end. */
function code(text: string, limit?: number): string {
  const plain = plainText(text, limit);
  const fence = '`'.repeat(longestRun(plain) + 1);
  return `${fence} ${plain} ${fence}`;
}

function fenced(text: string, language = 'http'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function html(text: string): string {
  return plainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
