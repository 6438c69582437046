import { code, html, inline } from '../reporters/markdown-text.ts';
import {
  byRequest,
  conclusion,
  HEADINGS,
  partOf,
  standing,
  turned,
  whereOf,
} from './diff-words.ts';
import type { PastReport } from './past-report.ts';
import { CHANGES, type CheckChange, type ReportDiff } from './report-diff.ts';

/** What a comment of GitHub may hold is 65 536 characters; what is around this one has to fit, too. */
const LONGEST = 60_000;

/** How many lines of each list are shown, most first. */
const MOST = [200, 50, 20, 5] as const;

/** For a job summary, or a comment on a pull request: what changed, worst first. */
export function diffMarkdown(diff: ReportDiff): string {
  const shown = MOST.map((most) => markdown(diff, most));
  return shown.find((text) => text.length <= LONGEST) ?? shown.at(-1)?.slice(0, LONGEST) ?? '';
}

function markdown(diff: ReportDiff, most: number): string {
  const { a, b, checks, worse } = diff;
  const lines = [
    `## ${worse ? '❌' : '✅'} ${conclusion(checks)}`,
    '',
    '| | judged | verdict |',
    '|---|---|---|',
    sideRow('before', a),
    sideRow('now', b),
    ...CHANGES.flatMap((change) => {
      const found = checks.filter((check) => check.change === change);
      return found.length === 0
        ? []
        : folded(HEADINGS[change], found.map(checkLine), most, change === 'worse');
    }),
    ...folded('Answers that differ', answerLines(diff), most, false),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function sideRow(name: string, report: PastReport): string {
  const { role, target, version, startedAt } = report;
  // A bar ends a cell, even in a code span.
  const judged = `${role} ${code(target)} ${inline(startedAt)}, agent-auth ${inline(version)}`;
  return `| ${name} | ${judged.replaceAll(/(?<!\\)\|/g, '\\|')} | ${inline(standing(report))} |`;
}

function checkLine(check: CheckChange): string {
  const why = check.why === undefined ? '' : `<br>${inline(check.why)}`;
  return `- ${turned(check)} ${code(check.id)} ${inline(check.title)}${why}`;
}

function answerLines({ answers }: ReportDiff): readonly string[] {
  return [...byRequest(answers)].flatMap(([request, found]) => [
    `- ${code(request)}`,
    ...found.map(
      (each) =>
        `  - ${inline(partOf(each))}: ${code(each.a)} → ${code(each.b)} (${inline(whereOf(each))})`,
    ),
  ]);
}

function folded(
  heading: string,
  lines: readonly string[],
  most: number,
  open: boolean,
): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - most;
  return [
    '',
    open ? '<details open>' : '<details>',
    `<summary>${html(heading)} (${lines.length})</summary>`,
    '',
    ...lines.slice(0, most),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    '</details>',
  ];
}
