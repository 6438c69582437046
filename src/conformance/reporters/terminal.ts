import type { CheckResult, Finding, Report, ScenarioResult, Status } from '../model.ts';
import { plainLines, plainText } from './plain-text.ts';
import {
  byReason,
  exchangeLine,
  exchangeOf,
  exchangeText,
  levelRows,
  ORDER,
  SYMBOL,
  seconds,
  verdictLine,
  withStatus,
  worst,
} from './report-view.ts';

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns. */
  readonly width: number;
  /** Every check, and the exchanges of findings in full. */
  readonly verbose?: boolean;
}

const CODES: Readonly<Record<Status | 'bold' | 'dim', readonly [number, number]>> = {
  pass: [32, 39],
  fail: [31, 39],
  untestable: [31, 39],
  warn: [33, 39],
  skip: [2, 22],
  bold: [1, 22],
  dim: [2, 22],
};

type Paint = (as: keyof typeof CODES, text: string) => string;

/** For people: by scenario, a line each; under it what is wrong with it, worst first. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const paint: Paint = (as, text) => {
    const [on, off] = CODES[as];
    return options.color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const lines = [
    `${paint('bold', `${report.role} ${plainText(report.target, 200)}`)}`,
    '',
    ...report.scenarios.flatMap((scenario) => scenarioLines(scenario, paint, options)),
    ...reasons(report, 'untestable', 'Could not be tested', paint, options),
    ...reasons(report, 'skip', 'Skipped', paint, options),
    ...closing(report, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function scenarioLines(
  scenario: ScenarioResult,
  paint: Paint,
  options: TerminalOptions,
): readonly string[] {
  const status = worst(scenario);
  const passed = withStatus(scenario, 'pass').length;
  const count = paint('dim', `${passed}/${scenario.checks.length}`);
  const heading = `${paint(status, SYMBOL[status])} ${scenario.title}  ${count}`;
  const shown = options.verbose === true ? ORDER : (['fail', 'untestable', 'warn'] as const);
  return [
    heading,
    ...shown.flatMap((each) =>
      withStatus(scenario, each).flatMap((check) => checkLines(scenario, check, paint, options)),
    ),
  ];
}

function checkLines(
  scenario: ScenarioResult,
  check: CheckResult,
  paint: Paint,
  options: TerminalOptions,
): readonly string[] {
  const title = `  ${paint(check.status, SYMBOL[check.status])} ${check.title}`;
  const label = `    ${paint('dim', `${check.id} · ${check.level} · ${check.sources.join(', ')}`)}`;
  if (check.status === 'pass' || check.status === 'skip') return [title];
  if (check.status === 'untestable') return [title, `    ${paint('dim', check.id)}`];
  const more = check.moreFindings > 0 ? [`    and ${check.moreFindings} more like it`] : [];
  return [
    title,
    label,
    ...check.findings.flatMap((finding) => findingLines(scenario, finding, paint, options)),
    ...more,
    '',
  ];
}

function findingLines(
  scenario: ScenarioResult,
  finding: Finding,
  paint: Paint,
  { verbose, width }: TerminalOptions,
): readonly string[] {
  const exchange = exchangeOf(scenario, finding);
  const lines = [
    ...wrap(`expected  ${finding.expected}`, width),
    ...wrap(`seen      ${plainText(finding.seen)}`, width),
  ];
  if (exchange === undefined) return lines;
  if (verbose !== true)
    return [...lines, `    ${paint('dim', `in        ${exchangeLine(exchange)}`)}`];
  const text = plainLines(exchangeText(exchange)).split('\n');
  return [...lines, ...text.map((line) => `      ${paint('dim', line)}`)];
}

const INDENT = 4;
const HANGING = ' '.repeat(INDENT + 10);

/** Breaks at spaces; what follows stands under the text, not under its label. */
function wrap(text: string, width: number): readonly string[] {
  const room = Math.max(width, 40);
  const lines: string[] = [];
  let line = ' '.repeat(INDENT);
  for (const word of text.split(/(?<=\S )(?=\S)/)) {
    if (line.length + word.trimEnd().length > room && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = HANGING;
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}

function reasons(
  report: Report,
  status: 'skip' | 'untestable',
  title: string,
  paint: Paint,
  { width }: TerminalOptions,
): readonly string[] {
  const groups = byReason(report.scenarios.flatMap((scenario) => withStatus(scenario, status)));
  if (groups.size === 0) return [];
  return [
    '',
    paint('bold', title),
    ...[...groups].flatMap(([reason, checks]) => {
      const scenarios = [...new Set(checks.map(({ id }) => id.split('.')[0] ?? id))];
      return [
        ...wrap(`${String(checks.length).padStart(4)}      ${plainText(reason)}`, width),
        `${HANGING}${paint('dim', scenarios.join(', '))}`,
      ];
    }),
  ];
}

function closing(report: Report, paint: Paint): readonly string[] {
  const { fail, untestable } = report.summary.checks;
  const red = fail + untestable > 0;
  const rows = levelRows(report).map(({ level, counts }) => {
    const judged = counts.pass + counts.fail + counts.warn + counts.untestable;
    const rest = [
      counts.fail > 0 ? paint('fail', `${counts.fail} failed`) : '',
      counts.untestable > 0 ? paint('untestable', `${counts.untestable} untestable`) : '',
      counts.warn > 0 ? paint('warn', `${counts.warn} warned`) : '',
      counts.skip > 0 ? paint('dim', `${counts.skip} skipped`) : '',
    ].filter((part) => part !== '');
    return `  ${level.padEnd(8)}${`${counts.pass}/${judged} passed`.padEnd(16)}${rest.join(', ')}`.trimEnd();
  });
  return [
    '',
    ...rows,
    '',
    `${paint(red ? 'fail' : 'pass', red ? 'Does not conform.' : 'Conforms.')} ${verdictLine(report)} (${seconds(report.duration)})`,
  ];
}
