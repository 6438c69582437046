import type { Report } from '../../engine/model.ts';
import { plainText } from '../../engine/plain-text.ts';
import * as view from '../report-view.ts';
import { allCauses } from './cause-lines.ts';
import { everyCheck } from './every-check.ts';
import { firstScreen } from './first-screen.ts';
import { type Paint, paintWith, wrap } from './paint.ts';

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns. */
  readonly width: number;
  /** Every cause in full, then every check with the exchanges of its findings. */
  readonly verbose?: boolean;
  /** The report is written as HTML, too. */
  readonly html?: boolean;
}

/**
 * The report for people: one screen is enough. The verdict and the scores, then what is wrong, one entry a cause, what
 * matters most first; then the counts, and how to see the rest.
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const { color, width, verbose } = options;
  const paint = paintWith(color);
  const lines = [
    ...opening(report, paint, width),
    ...sinceLines(report, paint, options),
    ...(verbose === true
      ? [...allCauses(report, paint, width), '', ...everyCheck(report, paint, width)]
      : firstScreen(report, paint, width)),
    '',
    ...closing(report, paint, options),
  ];
  const isSecondBlank = (line: string, index: number) => line === '' && lines[index - 1] === '';
  return `${lines.filter((line, index) => !isSecondBlank(line, index)).join('\n')}\n`;
}

function opening(report: Report, paint: Paint, width: number): readonly string[] {
  const { role, target, verdict } = report;
  const [first = '', ...rest] = wrap(view.verdictSentence(report), width, '', '  ');
  const stale = view.staleText(report);
  const unjudged = view.unjudgedLine(report);
  return [
    ...[first, ...rest].map((line) =>
      paint('bold', paint(view.isGood(report) ? 'pass' : 'fail', line)),
    ),
    ...(unjudged === undefined ? [] : wrap(unjudged, width, '', '  ')),
    ...wrap(view.scoreLine(report), width, '', '  '),
    paint('dim', `${role} ${plainText(target, 200)}${view.inDialect(report)}`),
    ...(verdict.died === undefined ? [] : wrap(plainText(verdict.died), width, '', '  ')),
    ...(stale === undefined ? [] : wrap(stale, width, '', '  ')),
    '',
  ];
}

/** How many checks of each list are named where nothing says `--verbose`. */
const MOST_TURNED = 6;

/** What changed since an earlier run, and which checks. */
function sinceLines(
  { since }: Report,
  paint: Paint,
  { width, verbose }: TerminalOptions,
): readonly string[] {
  if (since === undefined) return [];
  const most = verbose === true ? Number.POSITIVE_INFINITY : MOST_TURNED;
  const lists = [
    { as: 'fail', checks: since.failsNow },
    { as: 'pass', checks: since.passesNow },
  ] as const;
  return [
    ...wrap(view.sinceText(since), width, '', '  ').map((line) => paint('bold', line)),
    ...lists.flatMap(({ as, checks }) => [
      ...checks
        .slice(0, most)
        .map((check) => `  ${paint(as, view.turnText(check).padEnd(WIDEST_TURN))}  ${check.id}`),
      ...(checks.length > most
        ? [paint('dim', `  and ${checks.length - most} more: --verbose`)]
        : []),
    ]),
    '',
  ];
}

const WIDEST_TURN = 'pass → untestable'.length;

function closing(
  report: Report,
  paint: Paint,
  { width, verbose: isVerbose = false, html: hasHtml = false }: TerminalOptions,
): readonly string[] {
  const good = view.isGood(report) ? 'pass' : 'fail';
  const { untestable } = report.summary.checks;
  const skipped = view.skippedText(report);
  const words = [
    ...(untestable > 0 ? ['Untestable: it could not be judged.'] : []),
    ...(skipped === undefined ? [] : [skipped]),
  ];
  // At the end of a long text the verdict is said again.
  const verdict = isVerbose ? `${view.headline(report)}. ` : '';
  const more = [
    ...(isVerbose ? [] : ['All of it: --verbose.']),
    ...(hasHtml ? [] : ['With the exchanges, for a browser: --report html=FILE']),
  ];
  const hints = [
    ...(words.length > 0 ? [words.join(' ')] : []),
    ...(more.length > 0 ? [more.join(' ')] : []),
    view.seedLine(report),
  ];
  return [
    ...wrap(
      `${verdict}${view.verdictLine(report)} (${view.seconds(report.duration)})`,
      width,
      '',
      '  ',
    ).map((line) => paint(good, line)),
    ...hints.flatMap((hint) => wrap(hint, width, '', '  ')).map((line) => paint('dim', line)),
  ];
}
