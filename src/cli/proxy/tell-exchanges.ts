import { TrafficJudge } from '../../conformance/passive/traffic-judge.ts';
import type { State } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import {
  type ExchangeLog,
  type Explained,
  Explainer,
  exchangeJson,
  type Finding,
  mistakeOf,
} from '../../traffic/index.ts';
import type { Output, Rendering } from '../shell/output.ts';
import { exchangeLines } from '../terminal/exchange-line.ts';
import type { Style } from '../terminal/style.ts';

/** What is wrong with each exchange, in the order in which they happened. */
export type Judge = (explained: Explained) => readonly Finding[];

/** A judge of traffic by the rules of the suite that has seen nothing yet. */
export function trafficJudge(): Judge {
  const judge = new TrafficJudge();
  return (explained) => judge.judge(explained);
}

const LEVELS = ['must', 'should', 'may'] as const;
export type Level = (typeof LEVELS)[number];

/** Whether a finding is as serious as `--fail-on` asks for, or more. */
export function isAtLeast({ level }: Finding, failOn: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}

/** How many registrations are told of at the end. */
const MOST_REGISTRATIONS = 1_000;
/** How many mistakes are told of at the end. */
const MOST_MISTAKES = 1_000;

export interface Told {
  /** Prints what has come meanwhile. */
  tell(): void;
  /** Prints what is held back: nothing comes any more. */
  end(): void;
  readonly count: number;
  readonly findings: Readonly<Record<Finding['level'], number>>;
  /** The mistakes, each as it was found first, and how often it was. */
  readonly mistakes: readonly Finding[];
  /** The state of each registration, as far as the wire showed it. */
  readonly registrations: ReadonlyMap<string, State>;
}

interface TellOptions {
  readonly log: ExchangeLog;
  readonly output: Output;
  readonly judge: Judge;
  /** Columns of the terminal. */
  readonly width: number;
  /** Polls with the same answer are counted in one line. Default: each has its own. */
  readonly collapse?: boolean;
  readonly onFinding: (finding: Finding) => void;
  /** Called with each exchange and what was found in it, before it is printed. */
  readonly onExchange?: (explained: Explained, found: readonly Finding[]) => void;
}

/** Prints each exchange once, as soon as it is answered, and what is wrong with it. */
export function tellExchanges({
  collapse = false,
  judge,
  log,
  onExchange = () => {},
  onFinding,
  output,
  width,
}: TellOptions): Told {
  const explainer = new Explainer();
  const findings = { must: 0, should: 0, may: 0 };
  const registrations = new Map<string, State>();
  const mistakes = new Map<string, Finding>();
  let last = 0;
  let count = 0;
  let shown: Explained | undefined;
  let repeated = 0;
  const end = () => {
    if (repeated > 0) output.raw(`          and ${repeated} more, answered alike\n`);
    repeated = 0;
  };
  return {
    end,
    tell: () => {
      const { exchanges, latest } = log.read({ since: last });
      last = latest;
      for (const exchange of exchanges) {
        const explained = explainer.explain(exchange);
        count += 1;
        note(explained);
        const found = judge(explained);
        onExchange(explained, found);
        if (collapse && found.length === 0 && shown !== undefined && isAlike(shown, explained)) {
          repeated += 1;
          continue;
        }
        end();
        shown = found.length === 0 ? explained : undefined;
        output.result(presentExchange(explained, width, found.filter(isRepeat)));
        for (const finding of found) {
          findings[finding.level] += 1;
          noteMistake(finding);
          onFinding(finding);
          output.result(presentFinding(finding));
        }
      }
    },
    get count() {
      return count;
    },
    findings,
    get mistakes() {
      return [...mistakes.values()];
    },
    registrations,
  };

  function noteMistake(finding: Finding): void {
    const key = mistakeOf(finding);
    const first = mistakes.get(key) ?? finding;
    if (mistakes.size >= MOST_MISTAKES && !mistakes.has(key)) return;
    mistakes.set(key, { ...first, times: finding.times });
  }

  function note({ registrationId, state }: Explained): void {
    if (registrationId === undefined || state === undefined) return;
    if (registrations.size >= MOST_REGISTRATIONS && !registrations.has(registrationId)) return;
    registrations.set(registrationId, state);
  }
}

const POLLS: ReadonlySet<string> = new Set(['poll', 'device_poll']);

/** Whether it is the same poll with the same answer. */
function isAlike(one: Explained, other: Explained): boolean {
  return (
    POLLS.has(one.step) &&
    one.step === other.step &&
    one.exchange.status === other.exchange.status &&
    one.meaning === other.meaning &&
    one.registrationId === other.registrationId &&
    one.state === other.state
  );
}

function presentExchange(
  explained: Explained,
  width: number,
  repeated: readonly Finding[],
): Rendering {
  const { exchange, from, meaning, section, state, step } = explained;
  return {
    schema: 'proxyExchange',
    json: () => ({
      ...exchangeJson(exchange),
      from,
      step,
      meaning,
      section,
      state: state ?? null,
    }),
    human: (style) => {
      const { method, path, status } = exchange;
      // The path and the method are untrusted texts.
      const shown = { method: displayText(method, 20), path: displayText(path, 120), status };
      const lines = exchangeLines(
        style,
        { ...shown, from, meaning: displayText(meaning), state },
        width,
      );
      // What was told of in full stands behind it from the second time on.
      const again = repeated.map(
        (each) => ` ${paintOf(style, each)(`${idsOf(each)} ×${each.times}`)}`,
      );
      return `${lines
        .map((line) => line.trimEnd())
        .filter((line) => line !== '')
        .join('\n')}${again.join('')}`;
    },
  };
}

function presentFinding(finding: Finding): Rendering {
  const { also, by, level, message, requirement, seq, times } = finding;
  return {
    schema: 'proxyFinding',
    json: () => ({ requirement, also, level, by, message, seq, times }),
    // Behind its exchange, where it was told of before.
    human: (style) => (isRepeat(finding) ? '' : findingLine(style, finding)),
  };
}

/** A finding in full, with how often it was seen, where that was more than once. */
export function findingLine(style: Style, finding: Finding): string {
  const { by, level, message, times } = finding;
  const text = displayText(message, 500);
  const count = times > 1 ? ` ×${times}` : '';
  return `          ${paintOf(style, finding)(level.toUpperCase())} ${by}: ${text} ${style.dim(idsOf(finding))}${count}`;
}

function isRepeat({ times }: Finding): boolean {
  return times > 1;
}

function idsOf({ also, requirement }: Finding): string {
  return [requirement, ...also].join(', ');
}

function paintOf(style: Style, { level }: Finding): (text: string) => string {
  return level === 'must' ? style.red : style.yellow;
}
