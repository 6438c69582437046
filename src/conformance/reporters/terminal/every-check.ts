import type { CheckResult, Finding, Report, ScenarioResult } from '../../engine/model.ts';
import { plainText } from '../../engine/plain-text.ts';
import * as view from '../report-view.ts';
import { byReason, inCauseOrder } from '../report-view.ts';
import { HANGING, type Paint, wrap } from './paint.ts';

/** Every scenario with every check, and the exchanges of findings in full. */
export function everyCheck(report: Report, paint: Paint, width: number): readonly string[] {
  return [
    paint('bold', 'Every check'),
    '',
    ...inCauseOrder(report).flatMap((scenario) => scenarioLines(scenario, paint, width)),
    ...skipReasons(report, paint, width),
    '',
    ...levelLines(report, paint),
  ];
}

function scenarioLines(scenario: ScenarioResult, paint: Paint, width: number): readonly string[] {
  const status = view.worst(scenario);
  const lines = view.ORDER.flatMap((each) => {
    const checks = view.withStatus(scenario, each);
    return each === 'untestable' || each === 'skip'
      ? unjudgedLines(each, checks, paint, width)
      : checks.flatMap((check) => checkLines(scenario, check, paint, width));
  });
  return [
    `${paint(status, view.SYMBOL[status])} ${scenario.title}  ${paint('dim', view.tally(scenario))}`,
    ...lines,
    ...(lines.length > 0 ? [''] : []),
  ];
}

/** The checks that were not judged, by cause: one often keeps many from being judged, and is shown once. */
function unjudgedLines(
  status: 'untestable' | 'skip',
  checks: readonly CheckResult[],
  paint: Paint,
  width: number,
): readonly string[] {
  return [...byReason(checks)].flatMap(([reason, group]) => [
    ...group.flatMap((check) => [
      `  ${paint(status, view.SYMBOL[status])} ${check.title}`,
      labelOf(check, paint),
    ]),
    ...wrap(`${status === 'skip' ? 'skipped ' : 'untested'}  ${plainText(reason)}`, width),
    '',
  ]);
}

function labelOf({ id, level, sources }: CheckResult, paint: Paint): string {
  return `    ${paint('dim', [id, level, ...(sources.length > 0 ? [sources.join(', ')] : [])].join(' · '))}`;
}

function checkLines(
  scenario: ScenarioResult,
  check: CheckResult,
  paint: Paint,
  width: number,
): readonly string[] {
  const { status, known, findings, moreFindings } = check;
  const title = `  ${paint(status, view.SYMBOL[status])} ${check.title}`;
  if (status === 'pass') return [title];
  return [
    title,
    labelOf(check, paint),
    ...(known === undefined
      ? []
      : wrap(`known     ${plainText(known) || 'in the baseline'}`, width)),
    ...findings.flatMap((finding) => findingLines(scenario, check, finding, paint, width)),
    ...(moreFindings > 0 ? [`    and ${moreFindings} more like it`] : []),
    '',
  ];
}

function findingLines(
  scenario: ScenarioResult,
  check: CheckResult,
  finding: Finding,
  paint: Paint,
  width: number,
): readonly string[] {
  const exchange = view.exchangeOf(scenario, finding);
  const expected = view.expectedBeyond(check, finding);
  const lines = [
    ...(expected === undefined ? [] : wrap(`expected  ${plainText(expected)}`, width)),
    ...wrap(`seen      ${plainText(finding.seen)}`, width),
  ];
  if (exchange === undefined) return lines;
  const tokens = (exchange.tokens ?? []).flatMap((token) =>
    wrap(`token     ${plainText(view.tokenText(token), Number.POSITIVE_INFINITY)}`, width),
  );
  const text = view.exchangeText(exchange).split('\n');
  return [...lines, ...tokens, ...text.map((line) => `      ${paint('dim', line)}`)];
}

function skipReasons({ scenarios }: Report, paint: Paint, width: number): readonly string[] {
  const groups = view.byReason(scenarios.flatMap((scenario) => view.withStatus(scenario, 'skip')));
  if (groups.size === 0) return [];
  return [
    '',
    paint('bold', 'Skipped'),
    ...[...groups].flatMap(([reason, checks]) => {
      const names = [...new Set(checks.map(({ id }) => id.split('.')[0] ?? id))];
      return [
        ...wrap(`${String(checks.length).padStart(4)}      ${plainText(reason)}`, width),
        ...wrap(names.join(', '), width, HANGING).map((line) => paint('dim', line)),
      ];
    }),
  ];
}

function levelLines(report: Report, paint: Paint): readonly string[] {
  return view.levelRows(report).map(({ level, counts }) => {
    const judged = counts.pass + counts.fail + counts.warn;
    const rest = [
      counts.fail > 0 ? paint('fail', `${counts.fail} failed`) : '',
      counts.untestable > 0 ? paint('untestable', `${counts.untestable} untestable`) : '',
      counts.warn > 0 ? paint('warn', `${counts.warn} warned`) : '',
      counts.skip > 0 ? paint('dim', `${counts.skip} skipped`) : '',
    ].filter((part) => part !== '');
    return `  ${level.padEnd(8)}${`${counts.pass}/${judged} passed`.padEnd(16)}${rest.join(', ')}`.trimEnd();
  });
}
