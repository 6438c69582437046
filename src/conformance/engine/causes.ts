import { shellWord } from '../../runtime/index.ts';
import type { Exchange } from '../http/recorder.ts';
import {
  CAUSE_KINDS,
  type Cause,
  type CauseKind,
  type CheckResult,
  GAINS,
  LEVELS,
  type Report,
  type ScenarioResult,
  WATCHED,
} from './model.ts';
import { plainText } from './plain-text.ts';
import { repeatLine, SECRET_MARK } from './repeat-line.ts';
import { sourceLink } from './source-link.ts';

interface Run extends Pick<Report, 'role' | 'target' | 'seed' | 'scenarios' | 'verdict'> {
  /** The program as the reader types it: `npx agent-auth`. Default: `agent-auth`. */
  readonly program?: string;
  /** The words that were typed after it, without what selects, seeds and reports. Default: role and target alone. */
  readonly typed?: readonly string[] | undefined;
}

/** A check that is not right, and what shows it. */
interface Found {
  readonly check: CheckResult;
  readonly scenario: ScenarioResult;
  readonly exchange: Exchange | undefined;
}

/**
 * What is wrong or missing, one entry a cause: a check with what rests on it; an attack, or an endpoint that
 * breaks, however many checks see it; a reason that keeps many checks from being judged. What matters most comes first.
 */
export function causesOf(run: Run): readonly Cause[] {
  const resting = restingOn(run.scenarios);
  const all = run.scenarios.flatMap((scenario) =>
    scenario.checks.map(
      (check): Found => ({
        check,
        scenario,
        exchange: scenario.exchanges.find(({ number }) => number === check.findings[0]?.exchange),
      }),
    ),
  );
  const wrong = all.filter(({ check }) => check.status === 'fail' || check.status === 'warn');
  const causes = [...grouped(wrong, keyOf).values()].map((group) => causeOf(group, run, resting));
  return [...causes, ...missing(all, run, resting)].sort(
    (a, b) =>
      CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind) ||
      gainRank(a) - gainRank(b) ||
      size(b) - size(a),
  );
}

/** Ids of checks → those that were skipped because they rest on them. */
function restingOn(scenarios: readonly ScenarioResult[]): ReadonlyMap<string, readonly string[]> {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const bearing = grouped(
    checks.filter(({ restsOn }) => restsOn !== undefined),
    ({ restsOn = '' }) => restsOn,
  );
  return new Map([...bearing].map(([id, group]) => [id, group.map((each) => each.id)]));
}

/** What has the same key has the same cause. */
function keyOf({ check, exchange }: Found): string {
  if (check.known !== undefined) return check.id;
  const broken = brokenEndpoint(exchange);
  if (broken !== undefined) return `${check.status} ${broken}`;
  const isAttack = check.status === 'fail' && check.section === 'attacks';
  return (isAttack ? check.attack?.can : undefined) ?? check.id;
}

/** `POST /agent/identity answers 500`, where it does. */
function brokenEndpoint(exchange: Exchange | undefined): string | undefined {
  const { request, response } = exchange ?? {};
  if (request === undefined || response === undefined || response.status < 500) return undefined;
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url;
  return `${request.method} ${path} answers ${response.status}`;
}

function causeOf(
  group: Group<Found>,
  run: Run,
  resting: ReadonlyMap<string, readonly string[]>,
): Cause {
  const lead = group.reduce((worst, each) => (urgency(each) < urgency(worst) ? each : worst));
  const sorted = [lead, ...group.filter((each) => each !== lead)];
  const { check, scenario, exchange } = lead;
  const [finding] = check.findings;
  const kind = kindOf(check);
  const repeat = repeatOf(sorted, run);
  const also = sorted.slice(1).flatMap(({ check: { findings, id } }) => {
    const [first] = findings;
    return first === undefined ? [] : [{ check: id, seen: first.seen }];
  });
  const broken = group.length > 1 ? brokenEndpoint(exchange) : undefined;
  const findings = group.reduce(
    (sum, each) => sum + each.check.findings.length + each.check.moreFindings,
    0,
  );
  return {
    kind,
    status: check.status === 'warn' ? 'warn' : 'fail',
    title: titleOf(kind, check, broken && `${broken}.`),
    section: check.section,
    level: check.level,
    ...(check.attack && { attack: check.attack }),
    checks: sorted.map((each) => each.check.id),
    resting: sorted.flatMap((each) => resting.get(each.check.id) ?? []),
    ...(finding && { expected: finding.expected, seen: finding.seen }),
    ...(also.length > 0 && { also }),
    moreFindings: Math.max(0, findings - 1),
    ...(exchange?.tokens && { tokens: exchange.tokens }),
    ...(exchange && { exchange: { scenario: scenario.id, number: exchange.number } }),
    ...(repeat !== undefined && { repeat }),
    sources: [...new Set(sorted.flatMap((each) => each.check.sources))].map((each) =>
      sourceLink(each),
    ),
    ...(check.known !== undefined && { known: check.known }),
  };
}

/** What only guards against an attack is none that succeeded. */
function kindOf({ status, known, section, attack }: CheckResult): CauseKind {
  if (known !== undefined) return 'known';
  if (status === 'warn') return 'warning';
  if (section !== 'attacks') return section;
  return attack === undefined ? 'standards' : 'attack';
}

function titleOf(kind: CauseKind, check: CheckResult, broken: string | undefined): string {
  if (broken !== undefined) return broken;
  return kind === 'attack' ? (check.attack?.can ?? check.title) : check.title;
}

/** Why checks could not be judged, with the flows of the core that they leave open; and what an option adds. */
function missing(
  all: readonly Found[],
  { verdict }: Run,
  resting: ReadonlyMap<string, readonly string[]>,
): readonly Cause[] {
  const open = all.filter(
    ({ check }) =>
      check.known === undefined &&
      (check.status === 'untestable' || (check.status === 'skip' && check.needs !== undefined)),
  );
  const groups = grouped(open, ({ check: { reason = 'No reason was given.' } }) => reason);
  // A flow may be open because what it needs is not offered at all: then no check says so.
  const flows = grouped(verdict.unjudged, ({ why }) => why);
  const reasons = new Set([...flows.keys(), ...groups.keys()]);
  const causes = [...reasons].map((reason): Cause => {
    const checks = (groups.get(reason) ?? [])
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(({ check }) => check);
    const left = flows.get(reason) ?? [];
    const [first] = checks;
    const option = left.find((each) => each.option !== undefined)?.option ?? first?.needs;
    const isSkip = left.length === 0 && checks.every(({ status }) => status === 'skip');
    return {
      kind: 'missing',
      status: isSkip ? 'skip' : 'untestable',
      title:
        left.length > 0
          ? `Not judged: ${left.map(({ story }) => story).join('; ')}.`
          : checks.length === 1
            ? (first?.title ?? '')
            : `${checks.length} checks ${isSkip ? 'were' : 'could'} not ${isSkip ? '' : 'be '}judged.`,
      section: first?.section ?? 'protocol',
      level: first?.level ?? 'must',
      checks: checks.map(({ id }) => id),
      resting: checks.flatMap(({ id }) => resting.get(id) ?? []),
      seen: reason,
      moreFindings: 0,
      sources:
        left.length === 0 && checks.length === 1
          ? (first?.sources ?? []).map((each) => sourceLink(each))
          : [],
      ...(option !== undefined && { option }),
    };
  });
  const rank = ({ status, title }: Cause) =>
    status === 'skip' ? 2 : title.startsWith('Not judged: ') ? 0 : 1;
  return causes.sort((a, b) => rank(a) - rank(b) || reach(b) - reach(a));
}

/** A longer line is a file of its own: nobody pastes it. */
const LONGEST = 2000;
/** How many checks of a cause are judged again by one line. */
const MOST_REPEATED = 4;

/** The line that shows it again: a request that stands alone, or else a run. */
function repeatOf(
  found: readonly Found[],
  { program = 'agent-auth', role, target, seed, typed }: Run,
): string | undefined {
  const line = found[0] && requestAlone(found[0], role);
  if (line !== undefined && line.length <= LONGEST) return line;
  const judged = role === 'agent' && target !== WATCHED ? `-- ${target}` : shellWord(target);
  const words = typed?.map(shellWord).join(' ') ?? `conformance ${role} ${judged}`;
  if (plainText(words, Number.POSITIVE_INFINITY) !== words) return undefined;
  const ids = found.slice(0, MOST_REPEATED).map(({ check }) => check.id);
  const chosen = `--only ${shellWord(ids.join(','))} --seed ${seed}`;
  const [own, ...command] = words.split(/ (?=-- )/);
  return [program, own, chosen, ...command].join(' ');
}

/**
 * The request that shows it, where that is the cause: the suite sent it, and neither it nor what came before needed or
 * gave a secret. In a flow of tokens and cookies, the request that shows a finding is often not the one to blame.
 */
function requestAlone(
  { exchange: guilty, scenario }: Found,
  role: Report['role'],
): string | undefined {
  if (guilty === undefined || guilty.from === role) return undefined;
  const before = scenario.exchanges.filter(({ number }) => number <= guilty.number);
  const hasSecret = before.some(({ request, response }) =>
    SECRET_MARK.test(JSON.stringify([request, response])),
  );
  return hasSecret ? undefined : repeatLine(guilty);
}

/** How urgent a check is: of those with one cause, the worst attack or what breaks agents tells of it. */
function urgency({ check }: Found): number {
  const gain = check.attack === undefined ? GAINS.length : GAINS.indexOf(check.attack.gain);
  const place = check.section === 'attacks' ? 0 : check.section === 'protocol' ? 1 : 2;
  return (place * 10 + gain) * 10 + LEVELS.indexOf(check.level);
}

/** The rank of a check that was not judged: what has to hold comes first, and of that the worst attack. */
function rankOf(found: Found): number {
  return LEVELS.indexOf(found.check.level) * 1000 + urgency(found);
}

/** The rank of an attack, or of a warning or known failure that is about one: the worst comes first. */
function gainRank({ kind, section, attack }: Cause): number {
  if (kind !== 'attack' && kind !== 'warning' && kind !== 'known') return 0;
  if (section !== 'attacks') return GAINS.length + 1;
  return attack === undefined ? GAINS.length : GAINS.indexOf(attack.gain);
}

/** The same, but what is missing is in its order already. */
function size(cause: Cause): number {
  return cause.kind === 'missing' ? 0 : reach(cause);
}

/** How many checks it keeps from passing. */
function reach({ checks, resting }: Cause): number {
  return checks.length + resting.length;
}

type Group<T> = readonly [T, ...T[]];

function grouped<T>(all: readonly T[], key: (each: T) => string): ReadonlyMap<string, Group<T>> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const each of all) {
    const group = groups.get(key(each));
    if (group === undefined) groups.set(key(each), [each]);
    else group.push(each);
  }
  return groups;
}
