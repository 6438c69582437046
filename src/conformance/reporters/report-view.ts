import type {
  CheckResult,
  Finding,
  Level,
  Report,
  ScenarioResult,
  Status,
} from '../engine/model.ts';
import { LEVELS, SECTIONS } from '../engine/model.ts';
import { plainLines, plainText } from '../engine/plain-text.ts';
import type { Exchange } from '../http/exchange.ts';

/** Worst first. */
export const ORDER: readonly Status[] = ['fail', 'untestable', 'warn', 'pass', 'skip'];

export const SYMBOL: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  skip: '–',
  untestable: '?',
};

export function worst(scenario: ScenarioResult): Status {
  return ORDER.find((status) => scenario.checks.some((check) => check.status === status)) ?? 'skip';
}

export function withStatus(scenario: ScenarioResult, status: Status): readonly CheckResult[] {
  return scenario.checks.filter((check) => check.status === status);
}

export function exchangeOf(scenario: ScenarioResult, finding: Finding): Exchange | undefined {
  return scenario.exchanges.find(({ number }) => number === finding.exchange);
}

/** What a finding expected, where that is more than the sentence of its check, which is shown already. */
export function expectedBeyond({ title }: CheckResult, { expected }: Finding): string | undefined {
  return expected === title ? undefined : expected;
}

/** The exchanges that show what is wrong, each once. */
export function exchangesOf(
  { exchanges }: ScenarioResult,
  { findings }: CheckResult,
): readonly Exchange[] {
  return exchanges.filter(({ number }) => findings.some(({ exchange }) => exchange === number));
}

/** Failed or untestable first, then warnings, then the rest; within each in the order of the run. */
export function byUrgency(scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] {
  return [...scenarios].sort((a, b) => urgency(a) - urgency(b));
}

function urgency({ checks }: ScenarioResult): number {
  if (checks.some(({ status }) => status === 'fail' || status === 'untestable')) return 0;
  return checks.some(({ status }) => status === 'warn') ? 1 : 2;
}

/** Passed checks of the judged ones: `7/9`. */
export function tally(scenario: ScenarioResult): string {
  const judged = scenario.checks.length - withStatus(scenario, 'skip').length;
  return `${withStatus(scenario, 'pass').length}/${judged}`;
}

/** `POST http://… → 400`. */
export function exchangeLine({ request, response, problem }: Exchange): string {
  const outcome = response === undefined ? (problem ?? 'no answer') : String(response.status);
  return plainText(`${request.method} ${request.url} → ${outcome}`, 300);
}

/** Both messages in the form of HTTP, safe to print. Each part is capped, so that none hides the next. */
export function exchangeText({ request, response, problem }: Exchange): string {
  const lines = [plainText(`${request.method} ${request.url}`, 2048), ...messageLines(request), ''];
  if (response === undefined) lines.push(plainText(problem ?? 'no answer'));
  else lines.push(String(response.status), ...messageLines(response));
  return lines.join('\n');
}

function messageLines({ headers, body }: Pick<Exchange['request'], 'headers' | 'body'>) {
  return [
    ...headers.map(([name, value]) => plainText(`${name}: ${value}`, 1024)),
    ...(body === undefined ? [] : ['', plainLines(body)]),
  ];
}

/** The verdict in words: `Conforms but for 2 known failures, of what you selected`. */
export function headline({ verdict }: Report): string {
  const known = `${verdict.known} known ${verdict.known === 1 ? 'failure' : 'failures'}`;
  const words = {
    conforms: 'Conforms',
    conforms_but: `Conforms but for ${known}`,
    does_not_conform: 'Does not conform',
    inconclusive: 'Inconclusive',
  }[verdict.outcome];
  return `${words}${verdict.selectedOnly ? ', of what you selected' : ''}${verdict.interrupted ? ', until it was interrupted' : ''}`;
}

/** Whether the verdict is good. */
export function isGood({ verdict }: Report): boolean {
  return verdict.outcome === 'conforms' || verdict.outcome === 'conforms_but';
}

/** Why the verdict is what it is, beyond the counts: a sentence each. */
export function verdictReasons({ verdict }: Report): readonly string[] {
  return [
    ...(verdict.died === undefined ? [] : [plainText(verdict.died)]),
    ...verdict.unjudged.map(({ story, why, option }) => {
      const judgedBy = option === undefined ? '' : ` ${option} has it judged.`;
      return `Not judged: ${story}. ${plainText(why)}${judgedBy}`;
    }),
  ];
}

/** The sections with their scores. */
export function scoreLine({ summary }: Report): string {
  return SECTIONS.map((section) => {
    const { passed, judged } = summary.sections[section];
    return `${section[0]?.toUpperCase()}${section.slice(1)} ${passed}/${judged}`;
  }).join(' · ');
}

/** The counts in one line, without those that are 0. */
export function verdictLine(report: Report): string {
  const { fail, untestable, warn, pass, skip } = report.summary.checks;
  const parts = [
    `${pass} passed`,
    ...(fail > 0 ? [`${fail} failed`] : []),
    ...(untestable > 0 ? [`${untestable} untestable`] : []),
    ...(warn > 0 ? [`${warn} ${warn === 1 ? 'warning' : 'warnings'}`] : []),
    ...(skip > 0 ? [`${skip} skipped`] : []),
  ];
  return parts.join(', ');
}

/** How to repeat the run with the same names and values. */
export function seedLine({ seed }: Report): string {
  return `Seed ${seed}: --seed ${seed} sends the same names and values again.`;
}

/** The levels that were judged, with how many of their checks passed. */
export function levelRows(
  report: Report,
): readonly { readonly level: Level; readonly counts: Readonly<Record<Status, number>> }[] {
  return LEVELS.map((level) => ({ level, counts: report.summary.byLevel[level] })).filter(
    ({ counts }) => Object.values(counts).some((number) => number > 0),
  );
}

/** Skipped and untestable checks, grouped by their reason. */
export function byReason(
  checks: readonly CheckResult[],
): ReadonlyMap<string, readonly CheckResult[]> {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const reason = check.reason ?? 'No reason was given.';
    groups.set(reason, [...(groups.get(reason) ?? []), check]);
  }
  return groups;
}

/** `12 ms`, `1.3 s`. */
export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
