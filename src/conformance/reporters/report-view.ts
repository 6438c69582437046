import { isJudged } from '../engine/core.ts';
import {
  CAUSE_KINDS,
  type Cause,
  type CauseKind,
  type CheckResult,
  type Finding,
  LEVELS,
  type Level,
  type Report,
  type ScenarioResult,
  type Score,
  SECTIONS,
  type Section,
  type Since,
  type Status,
  type TurnedCheck,
  WATCHED,
} from '../engine/model.ts';
import { plainLines, plainText } from '../engine/plain-text.ts';
import type { Exchange, ShownToken } from '../http/recorder.ts';

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

/** Passed checks of the judged ones: `7/9`. */
export function tally(scenario: ScenarioResult): string {
  const judged = scenario.checks.filter(isJudged).length;
  return `${withStatus(scenario, 'pass').length}/${judged}`;
}

/** `POST http://… → 400`. */
export function exchangeLine({ request, response, problem }: Exchange): string {
  const outcome = response === undefined ? (problem ?? 'no answer') : String(response.status);
  return plainText(`${request.method} ${request.url} → ${outcome}`, 300);
}

/** The messages of an exchange in the form of HTTP, safe to print. Each part is capped, so that none hides the next. */
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
export function headline({ verdict, target }: Report): string {
  const known = `${verdict.known} known ${verdict.known === 1 ? 'failure' : 'failures'}`;
  const words = {
    conforms: 'Conforms',
    conforms_but: `Conforms but for ${known}`,
    does_not_conform: 'Does not conform',
    inconclusive: 'Inconclusive',
  }[verdict.outcome];
  const seen = target === WATCHED ? ', by what its traffic showed' : '';
  const stale = verdict.fixed.length > 0 ? ', and the baseline is stale' : '';
  return `${words}${stale}${seen}${verdict.selectedOnly ? ', of what you selected' : ''}${verdict.interrupted ? ', until it was interrupted' : ''}`;
}

/** What a head of a report says behind the target: ` · dialect flat`; nothing where it was judged in none. */
export function inDialect({ dialect }: Report): string {
  return dialect === undefined ? '' : ` · dialect ${dialect}`;
}

/** Whether the verdict is good. A run with a stale baseline fails. */
export function isGood({ verdict }: Report): boolean {
  const conforms = verdict.outcome === 'conforms' || verdict.outcome === 'conforms_but';
  return conforms && verdict.fixed.length === 0;
}

const MAX_LISTED = 20;

/** `anonymous.claimed, anonymous.registered and 3 more`. */
export function listOfIds(ids: readonly string[]): string {
  const more = ids.length - MAX_LISTED;
  return more > 0 ? `${ids.slice(0, MAX_LISTED).join(', ')} and ${more} more` : ids.join(', ');
}

/** What makes a baseline stale: a sentence that names the checks. Undefined where nothing does. */
export function staleText({ verdict: { fixed } }: Report): string | undefined {
  if (fixed.length === 0) return undefined;
  const pronoun = fixed.length === 1 ? 'it' : 'them';
  return `In the baseline, but not failing any more: ${listOfIds(fixed)}. Take ${pronoun} out: --write-baseline FILE does.`;
}

/** The first line of a report: of a run without a verdict also what keeps it from one, and what would help. */
export function verdictSentence(report: Report): string {
  const { outcome, unjudged } = report.verdict;
  const [first, ...others] = unjudged;
  if (outcome !== 'inconclusive' || first === undefined) return `${headline(report)}.`;
  const judgedBy = first.option === undefined ? '' : ` ${first.option} has it judged.`;
  const more = others.length === 0 ? '' : ` So with ${others.length} more of the core.`;
  return `${headline(report)}. Not judged: ${plainText(first.story)}. ${plainText(first.why)}${judgedBy}${more}`;
}

/**
 * What a good verdict is not about: what has to hold, and was not judged for want of an option. One line; undefined where
 * the verdict is not good, or no option shows more.
 */
export function unjudgedLine(report: Report): string | undefined {
  if (!isGood(report)) return undefined;
  const { causes, scenarios } = report;
  const cause = causes.find(
    ({ kind, level, option, status }) =>
      kind === 'missing' && status === 'skip' && level === 'must' && option !== undefined,
  );
  const told = scenarios.flatMap(({ checks }) => checks).find(({ id }) => id === cause?.checks[0]);
  return told && `Not judged for want of ${cause?.option}: ${plainText(told.title)}`;
}

/** What a reader has to know beside the verdict: what was not judged, how the target died, a stale baseline. */
export function remarksOf(report: Report): readonly string[] {
  const { died, outcome } = report.verdict;
  const first = outcome === 'inconclusive' ? verdictSentence(report) : undefined;
  const all = [first, unjudgedLine(report), died, staleText(report)];
  return all.filter((each) => each !== undefined);
}

/** `20/23`, or `20/23 (4 could not be judged)`. */
function scoreText({ passed, judged, untestable }: Score): string {
  return `${passed}/${judged}${untestable > 0 ? ` (${untestable} could not be judged)` : ''}`;
}

const SECTION_NAMES: Readonly<Record<Section, string>> = {
  protocol: 'Protocol',
  standards: 'Standards',
  attacks: 'Attacks',
  ema: 'EMA',
};

/** The sections with their scores; that of cross-app access where it was judged, or could not be. */
export function scoreLine({ summary }: Report): string {
  const isTold = (section: Section) => {
    const { judged, untestable } = summary.sections[section];
    return section !== 'ema' || judged + untestable > 0;
  };
  return SECTIONS.filter(isTold)
    .map((section) => `${SECTION_NAMES[section]} ${scoreText(summary.sections[section])}`)
    .join(' · ');
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

/** Why checks were skipped, with how many for each reason: `Skipped: 8 not offered or not asked for, 2 for want of an option.` */
export function skippedText({ scenarios }: Report): string | undefined {
  const skipped = scenarios.flatMap((scenario) => withStatus(scenario, 'skip'));
  if (skipped.length === 0) return undefined;
  const resting = skipped.filter(({ restsOn }) => restsOn !== undefined).length;
  const needy = skipped.filter(
    ({ needs, restsOn }) => needs !== undefined && restsOn === undefined,
  ).length;
  const other = skipped.length - resting - needy;
  const parts = [
    ...(other > 0 ? [`${other} not offered or not asked for`] : []),
    ...(needy > 0 ? [`${needy} for want of an option`] : []),
    ...(resting > 0 ? [`${resting} because of what they rest on`] : []),
  ];
  return `Skipped: ${parts.join(', ')}.`;
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

/** What the causes of one kind are together. */
export interface CauseSection {
  readonly kind: CauseKind;
  readonly heading: string;
  readonly causes: readonly Cause[];
}

const HEADINGS: Readonly<Record<CauseKind, string>> = {
  attack: 'What an attacker can do now',
  missing: 'What is missing',
  protocol: 'What breaks agents',
  ema: 'What breaks cross-app access',
  standards: 'What else breaks a standard',
  known: 'Known failures',
  warning: 'Warnings',
};

/** The causes under their headings, in the order in which they matter. */
export function causeSections({ role, causes }: Report): readonly CauseSection[] {
  return CAUSE_KINDS.flatMap((kind) => {
    const own = causes.filter((cause) => cause.kind === kind);
    const isOwnProtocol = kind === 'protocol' && role === 'agent';
    const heading = isOwnProtocol ? 'Where it breaks the protocol' : HEADINGS[kind];
    return own.length === 0 ? [] : [{ kind, heading, causes: own }];
  });
}

/** What a cause expects, where its title does not say that already. */
export function expectedOf({ title, expected }: Cause): string | undefined {
  return expected === title ? undefined : expected;
}

/** The checks of a cause: `id-jag-denial.unverified, and 3 more checks`. */
export function checksOf({ checks, resting }: Cause): string {
  const [first = ''] = checks;
  const more = checks.length + resting.length - 1;
  return more <= 0 ? first : `${first}, and ${more} more ${more === 1 ? 'check' : 'checks'}`;
}

/** What to type so that a cause is judged, where its reason does not say that already. */
export function adviceOf({ option, seen = '' }: Cause): string | undefined {
  return option === undefined || seen.includes(option) ? undefined : option;
}

/** `‹1a2b3c4d› {"alg":"ES256"} {"iss":"https://…"}`: header and claims of a JWT. */
export function tokenText({ mark, header, claims }: ShownToken): string {
  const part = (value: unknown) => (value === undefined ? '(unreadable)' : JSON.stringify(value));
  return `${mark} ${part(header)} ${part(claims)}`;
}

/** The scenarios in the order of what they found; then the others, as they ran. */
export function inCauseOrder({ causes, scenarios }: Report): readonly ScenarioResult[] {
  const rank = new Map<string, number>();
  for (const [index, { checks }] of causes.entries()) {
    for (const id of checks) rank.set(id, Math.min(rank.get(id) ?? index, index));
  }
  const first = ({ checks }: ScenarioResult) =>
    Math.min(causes.length, ...checks.map(({ id }) => rank.get(id) ?? causes.length));
  return scenarios.toSorted((a, b) => first(a) - first(b));
}

/** `Since 2026-01-02T03:04:05Z: 2 checks fail that passed, and 1 passes that failed, of 143 judged then and now.` */
export function sinceText({ startedAt, compared, failsNow, passesNow }: Since): string {
  const fails = `${counted(failsNow)} that passed`;
  const passes = `${passesNow.length} ${passesNow.length === 1 ? 'passes' : 'pass'} that failed`;
  const worse = failsNow.length === 0 ? 'nothing fails that passed' : fails;
  const better = passesNow.length === 0 ? '' : `, and ${passes}`;
  return `Since ${startedAt}: ${worse}${better}, of ${compared} judged then and now.`;
}

function counted({ length }: readonly TurnedCheck[]): string {
  return length === 1 ? '1 check fails' : `${length} checks fail`;
}

/** `pass → fail`. */
export function turnText({ was, now }: TurnedCheck): string {
  return `${was} → ${now}`;
}
