import {
  type ExchangeLog,
  type Explained,
  Explainer,
  exchangeJson,
  type Finding,
} from '../../exchanges/index.ts';
import type { State } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import type { Output, Rendering } from '../shell/output.ts';
import { exchangeLines } from '../terminal/exchange-line.ts';
import type { Judge } from './judge.ts';

/** So many registrations are told of at the end. */
const MOST_REGISTRATIONS = 1_000;

export interface Told {
  /** Prints what has come meanwhile. */
  tell(): void;
  readonly count: number;
  readonly findings: Readonly<Record<Finding['level'], number>>;
  /** The state of each registration, as far as the wire showed it. */
  readonly registrations: ReadonlyMap<string, State>;
}

interface Teller {
  readonly log: ExchangeLog;
  readonly output: Output;
  readonly judge: Judge;
  /** Columns of the terminal. */
  readonly width: number;
  readonly onFinding: (finding: Finding) => void;
  /** Told of each exchange with what was found in it, before it is printed. */
  readonly onExchange?: (explained: Explained, found: readonly Finding[]) => void;
}

/** Prints each exchange once, as soon as it is answered, and what is wrong with it. */
export function tellExchanges({
  judge,
  log,
  onExchange = () => {},
  onFinding,
  output,
  width,
}: Teller): Told {
  const explainer = new Explainer();
  const findings = { must: 0, should: 0, may: 0 };
  const registrations = new Map<string, State>();
  let last = 0;
  let count = 0;
  return {
    tell: () => {
      const { exchanges, latest } = log.read({ since: last });
      last = latest;
      for (const exchange of exchanges) {
        const explained = explainer.explain(exchange);
        count += 1;
        note(explained);
        const found = judge(explained);
        onExchange(explained, found);
        output.result(presentExchange(explained, width));
        for (const finding of found) {
          findings[finding.level] += 1;
          onFinding(finding);
          output.result(presentFinding(finding));
        }
      }
    },
    get count() {
      return count;
    },
    findings,
    registrations,
  };

  function note({ registrationId, state }: Explained): void {
    if (registrationId === undefined || state === undefined) return;
    if (registrations.size >= MOST_REGISTRATIONS && !registrations.has(registrationId)) return;
    registrations.set(registrationId, state);
  }
}

function presentExchange(explained: Explained, width: number): Rendering {
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
      return exchangeLines(style, { ...shown, from, meaning: displayText(meaning), state }, width)
        .map((line) => line.trimEnd())
        .filter((line) => line !== '')
        .join('\n');
    },
  };
}

function presentFinding(finding: Finding): Rendering {
  const { by, level, message, requirement, seq } = finding;
  return {
    schema: 'proxyFinding',
    json: () => ({ requirement, level, by, message, seq }),
    human: (style) => {
      const paint = level === 'must' ? style.red : style.yellow;
      const text = displayText(message, 500);
      return `          ${paint(level.toUpperCase())} ${by}: ${text} ${style.dim(requirement)}`;
    },
  };
}
