import type {
  CheckResult,
  Exchange,
  Finding,
  Level,
  Report,
  ScenarioResult,
  Status,
} from '../model.ts';
import { LEVELS } from '../model.ts';
import { plainText } from './plain-text.ts';

/** What is worst comes first: failures, what could not be tested, warnings. */
export const ORDER: readonly Status[] = ['fail', 'untestable', 'warn', 'pass', 'skip'];

export const SYMBOL: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  skip: '–',
  untestable: '?',
};

/** One word for a person. */
export const STATUS_WORD: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  skip: 'skipped',
  untestable: 'untestable',
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

/** `POST http://… → 400`. */
export function exchangeLine({ request, response, problem }: Exchange): string {
  const outcome = response === undefined ? (problem ?? 'no answer') : String(response.status);
  return plainText(`${request.method} ${request.url} → ${outcome}`, 300);
}

/** Both messages as HTTP writes them, redacted already. */
export function exchangeText(exchange: Exchange): string {
  const { request, response, problem } = exchange;
  const lines = [`${request.method} ${request.url}`, ...headerLines(request.headers)];
  if (request.body !== undefined) lines.push('', request.body);
  lines.push('');
  if (response === undefined) lines.push(problem ?? 'no answer');
  else {
    lines.push(`${response.status}`, ...headerLines(response.headers));
    if (response.body !== undefined) lines.push('', response.body);
  }
  return lines.join('\n');
}

function headerLines(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** What a red run is about, in one line. */
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

/** Milliseconds as a person says them. */
export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
