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

/** How many entries of each list are shown, most first. */
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
        : folded(HEADINGS[change], found.map(checkEntry), most, change === 'worse');
    }),
    ...folded('Answers that differ', answerEntries(diff), most, false),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function sideRow(name: string, report: PastReport): string {
  const { role, target, version, startedAt } = report;
  // A bar ends a cell, even in a code span.
  const judged = `${role} ${code(target)} ${inline(startedAt)}, agent-auth ${inline(version)}`;
  return `| ${name} | ${judged.replaceAll(/(?<!\\)\|/g, '\\|')} | ${inline(standing(report))} |`;
}

/** One thing that changed. */
interface Entry {
  readonly line: string;
  /** What stands above it: it is no entry, and is not counted. */
  readonly heading?: string;
}

function checkEntry(check: CheckChange): Entry {
  const why = check.why === undefined ? '' : `<br>${inline(check.why)}`;
  return { line: `- ${turned(check)} ${code(check.id)} ${inline(check.title)}${why}` };
}

function answerEntries({ answers }: ReportDiff): readonly Entry[] {
  return [...byRequest(answers)].flatMap(([request, found]) =>
    found.map((each, index) => ({
      ...(index === 0 && { heading: `- ${code(request)}` }),
      line: `  - ${inline(partOf(each))}: ${code(each.a)} → ${code(each.b)} (${inline(whereOf(each))})`,
    })),
  );
}

function folded(
  heading: string,
  entries: readonly Entry[],
  most: number,
  open: boolean,
): readonly string[] {
  if (entries.length === 0) return [];
  const more = entries.length - most;
  return [
    '',
    open ? '<details open>' : '<details>',
    `<summary>${html(heading)} (${entries.length})</summary>`,
    '',
    ...entries
      .slice(0, most)
      .flatMap(({ heading, line }) => (heading === undefined ? [line] : [heading, line])),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    '</details>',
  ];
}
