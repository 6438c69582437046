import type { CheckResult, Finding, Report, ScenarioResult, Status } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  byReason,
  byUrgency,
  exchangeLine,
  exchangeOf,
  exchangeText,
  expectedBeyond,
  headline,
  isGood,
  levelRows,
  ORDER,
  SYMBOL,
  scoreLine,
  seconds,
  seedLine,
  tally,
  verdictLine,
  verdictReasons,
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

/**
 * For people: a line for each scenario, under it what is wrong with it. What failed or could not be tested
 * comes first; a scenario of which nothing was judged is listed under its reason only.
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const paint: Paint = (as, text) => {
    const [on, off] = CODES[as];
    return options.color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const lines = [
    `${paint('bold', `${report.role} ${plainText(report.target, 200)}`)}`,
    '',
    ...byUrgency(report.scenarios)
      .filter((scenario) => options.verbose === true || worst(scenario) !== 'skip')
      .flatMap((scenario) => scenarioLines(scenario, paint, options)),
    ...skipReasons(report, paint, options),
    ...closing(report, paint),
  ];
  const isSecondBlank = (line: string, index: number) => line === '' && lines[index - 1] === '';
  return `${lines.filter((line, index) => !isSecondBlank(line, index)).join('\n')}\n`;
}

function scenarioLines(
  scenario: ScenarioResult,
  paint: Paint,
  options: TerminalOptions,
): readonly string[] {
  const status = worst(scenario);
  const shown = options.verbose === true ? ORDER : (['fail', 'untestable', 'warn'] as const);
  const lines = shown.flatMap((each) => {
    const checks = withStatus(scenario, each);
    return each === 'untestable'
      ? untestableLines(checks, paint, options)
      : checks.flatMap((check) => checkLines(scenario, check, paint, options));
  });
  return [
    `${paint(status, SYMBOL[status])} ${scenario.title}  ${paint('dim', tally(scenario))}`,
    ...lines,
    ...(lines.length > 0 ? [''] : []),
  ];
}

/** One cause often keeps many checks from being judged, so it is shown once. */
function untestableLines(
  checks: readonly CheckResult[],
  paint: Paint,
  { width }: TerminalOptions,
): readonly string[] {
  return [...byReason(checks)].flatMap(([reason, group]) => [
    ...group.flatMap((check) => [
      `  ${paint('untestable', SYMBOL.untestable)} ${check.title}`,
      labelOf(check, paint),
    ]),
    ...wrap(`untested  ${plainText(reason)}`, width),
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
  options: TerminalOptions,
): readonly string[] {
  const title = `  ${paint(check.status, SYMBOL[check.status])} ${check.title}`;
  if (check.status === 'pass' || check.status === 'skip') return [title];
  const findings = options.verbose === true ? check.findings : differing(check.findings);
  const rest = check.findings.length + check.moreFindings - findings.length;
  return [
    title,
    labelOf(check, paint),
    ...findings.flatMap((finding) => findingLines(scenario, check, finding, paint, options)),
    ...(rest > 0 ? [`    and ${rest} more like it`] : []),
    '',
  ];
}

/** A matrix often finds one mistake many times: two different findings show it. */
function differing(findings: readonly Finding[]): readonly Finding[] {
  const byText = new Map(findings.map((finding) => [finding.expected + finding.seen, finding]));
  return [...byText.values()].slice(0, 2);
}

function findingLines(
  scenario: ScenarioResult,
  check: CheckResult,
  finding: Finding,
  paint: Paint,
  { verbose, width }: TerminalOptions,
): readonly string[] {
  const exchange = exchangeOf(scenario, finding);
  const expected = expectedBeyond(check, finding);
  const lines = [
    ...(expected === undefined ? [] : wrap(`expected  ${plainText(expected)}`, width)),
    ...wrap(`seen      ${plainText(finding.seen)}`, width),
  ];
  if (exchange === undefined) return lines;
  if (verbose === true) {
    const text = exchangeText(exchange).split('\n');
    return [...lines, ...text.map((line) => `      ${paint('dim', line)}`)];
  }
  const evidence = [
    ...wrap(`in        ${exchangeLine(exchange)}`, width),
    ...(check.status === 'fail' ? excerpt(exchange, finding, width) : []),
  ];
  return [...lines, ...evidence.map((line) => paint('dim', line))];
}

/** The headers to which this protocol gives a meaning. */
const SHOWN_HEADERS = new Set([
  'allow',
  'cache-control',
  'content-type',
  'location',
  'origin',
  'retry-after',
  'www-authenticate',
]);

/** What was sent and what came back, a line each, without what `seen` quotes already. */
function excerpt(
  { request, response }: Exchange,
  { seen }: Finding,
  width: number,
): readonly string[] {
  const sent = message(request);
  const quoted = response !== undefined && seen.startsWith(`${response.status}`);
  const back =
    response === undefined ? '' : message(quoted ? { headers: response.headers } : response);
  return [
    ...(sent === '' ? [] : wrap(`sent      ${sent}`, width)),
    ...(back === '' ? [] : wrap(`answer    ${back}`, width)),
  ];
}

function message({ headers, body }: Pick<Exchange['request'], 'headers' | 'body'>): string {
  const fields = headers
    .filter(([name]) => SHOWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `${plainText(name, 40)}: ${plainText(value, 160)}`);
  const shown = body === undefined || body === '' ? [] : [plainText(body, 240)];
  return [...fields, ...shown].join(' · ');
}

const INDENT = 4;
const HANGING = ' '.repeat(INDENT + 10);

/** Breaks at spaces; further lines are indented to the text, not to its label. */
function wrap(text: string, width: number, first = ' '.repeat(INDENT)): readonly string[] {
  const room = Math.max(width, 40);
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/(?<=\S )(?=\S)/)) {
    if (line.length + word.trimEnd().length > room && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = HANGING;
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}

function skipReasons(
  { scenarios }: Report,
  paint: Paint,
  { width }: TerminalOptions,
): readonly string[] {
  const groups = byReason(scenarios.flatMap((scenario) => withStatus(scenario, 'skip')));
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

function closing(report: Report, paint: Paint): readonly string[] {
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
    `${paint(isGood(report) ? 'pass' : 'fail', `${headline(report)}.`)} ${verdictLine(report)} (${seconds(report.duration)})`,
    ...verdictReasons(report),
    scoreLine(report),
    paint('dim', seedLine(report)),
  ];
}
