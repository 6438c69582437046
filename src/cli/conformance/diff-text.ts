import {
  byRequest,
  conclusion,
  HEADINGS,
  partOf,
  standing,
  turned,
  whereOf,
} from '../../conformance/compare/diff-words.ts';
import {
  CHANGES,
  type Change,
  type CheckChange,
  type PastReport,
  type ReportDiff,
} from '../../conformance/compare/index.ts';
import { plainText } from '../../conformance/engine/plain-text.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

/** Of checks that need no look: how many are listed without `--verbose`. */
const MOST_CHECKS = 10;
const MOST_ANSWERS = 40;
/** Columns of one value. */
const VALUE = 120;

/** What changed, for people and as JSON. */
export function presentDiff(diff: ReportDiff, verbose: boolean): Rendering {
  const { a, b, role, worse, checks, answers } = diff;
  return {
    schema: 'conformanceDiff',
    json: () => ({
      role,
      worse,
      a: sideJson(a),
      b: sideJson(b),
      checks,
      answers,
    }),
    human: (style) =>
      [
        sideText(style, 'A', a),
        sideText(style, 'B', b),
        '',
        ...CHANGES.flatMap((change) => changeLines(style, diff, change, verbose)),
        ...answerLines(style, diff, verbose),
        (worse ? style.red : style.green)(conclusion(checks)),
      ].join('\n'),
  };
}

function sideJson(report: PastReport) {
  const { target, version, startedAt, seed, outcome, sections, interrupted, selectedOnly } = report;
  return {
    ...{ target, version, startedAt, seed },
    ...{ outcome: outcome ?? null, sections: sections ?? null, interrupted, selectedOnly },
  };
}

function sideText(style: Style, name: string, report: PastReport): string {
  const { role, target, startedAt, version } = report;
  const judged = `${role} ${plainText(target, 200)}`;
  return [
    `${style.bold(`${name}  ${judged}`)}  ${style.dim(plainText(`${startedAt}, agent-auth ${version}`))}`,
    `   ${standing(report)}`,
  ].join('\n');
}

/** Lists that say what to do are whole; the others end after a few. */
function changeLines(
  style: Style,
  { checks }: ReportDiff,
  change: Change,
  verbose: boolean,
): readonly string[] {
  const found = checks.filter((check) => check.change === change);
  if (found.length === 0) return [];
  const most = verbose || change === 'worse' || change === 'weaker' ? found.length : MOST_CHECKS;
  return [
    style.bold(`${HEADINGS[change]} (${found.length})`),
    ...found.slice(0, most).map((check) => checkText(style, check)),
    ...moreThan(style, found.length - most),
    '',
  ];
}

function checkText(style: Style, check: CheckChange): string {
  const { id, title, change, why } = check;
  const paint = { worse: style.red, weaker: style.yellow, better: style.green }[change as string];
  const line = `  ${(paint ?? style.dim)(turned(check).padEnd(17))}  ${plainText(id)}  ${plainText(title)}`;
  const isTold = why !== undefined && (change === 'worse' || change === 'weaker');
  return isTold ? `${line}\n      ${style.dim(plainText(why, 300))}` : line;
}

function answerLines(style: Style, { answers }: ReportDiff, verbose: boolean): readonly string[] {
  if (answers.length === 0) return [];
  const most = verbose ? answers.length : MOST_ANSWERS;
  return [
    style.bold(`Answers that differ (${answers.length})`),
    ...[...byRequest(answers.slice(0, most))].flatMap(([request, found]) => [
      `  ${style.cyan(plainText(request, 200))}`,
      ...found.map(
        (each) =>
          `    ${plainText(partOf(each))}: ${plainText(each.a, VALUE)} → ${plainText(each.b, VALUE)}  ${style.dim(plainText(whereOf(each)))}`,
      ),
    ]),
    ...moreThan(style, answers.length - most),
    '',
  ];
}

function moreThan(style: Style, more: number): readonly string[] {
  return more > 0 ? [style.dim(`  and ${more} more: --verbose`)] : [];
}
