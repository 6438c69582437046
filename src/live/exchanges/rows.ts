import type { LiveChange, LiveExchange } from '../../mock/live/model.ts';
import type { State, ViewState } from '../state/view-state.ts';
import { type ChangeWords, changeWords } from './change-words.ts';
import { type Filter, isFiltering, matcher, matchesChange } from './filter.ts';
import { isPageFile } from './page-file.ts';

/** A line of the diagram. `key` stays with what is shown, and grows with what comes. */
export type Row = ExchangeRow | GapRow | ChangeRow;

export interface ExchangeRow {
  readonly kind: 'exchange';
  readonly key: number;
  /** The last of them; more than one where an agent asked the same again and again. */
  readonly exchange: LiveExchange;
  readonly all: readonly LiveExchange[];
  /** The state that a registration came into by it. */
  readonly mark: State | undefined;
}

/** Some exchanges are missing. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: number;
  readonly count: number;
}

/** A control changed something beside the protocol. */
export interface ChangeRow {
  readonly kind: 'change';
  readonly key: number;
  readonly change: LiveChange;
  readonly words: ChangeWords;
}

/** So many keys has an exchange: of the gap before it, its own, and of the changes after it. */
const KEYS = 1_000;

const POLLS: ReadonlySet<string> = new Set(['poll', 'device_poll']);

interface Shown extends Pick<ViewState, 'exchanges' | 'gaps' | 'marks'> {
  /** Oldest first. */
  readonly changes: readonly LiveChange[];
}

/** What caused another exchange began before it, and ended after it: `seq` counts the ends. */
export function rowsOf({ changes, exchanges, gaps, marks }: Shown, filter: Filter): readonly Row[] {
  const matches = isFiltering(filter) ? matcher(filter) : () => true;
  const hidesFiles = !filter.pageFiles && filter.text.trim() === '';
  const rows: Row[] = [];
  let told = 0;
  let after = 0;
  /** Adds what controls changed before then. */
  const tellChanges = (until: number) => {
    for (let nth = 2; told < changes.length; told += 1) {
      const change = changes[told];
      if (change === undefined || Date.parse(change.at) >= until) return;
      const words = changeWords(change);
      if (words === undefined || !matchesChange(filter, change, words)) continue;
      rows.push({ kind: 'change', key: after * KEYS + nth, change, words });
      nth += 1;
    }
  };
  const started = [...exchanges].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  for (const exchange of started) {
    tellChanges(Date.parse(exchange.at));
    after = exchange.seq;
    const gap = gaps.get(exchange.seq);
    if (gap !== undefined) rows.push({ kind: 'gap', key: exchange.seq * KEYS, count: gap });
    if (!matches(exchange) || (hidesFiles && isPageFile(exchange))) continue;
    const before = rows.at(-1);
    const mark = marks.get(exchange.seq);
    if (before?.kind === 'exchange' && mark === undefined && isSame(before.exchange, exchange)) {
      rows[rows.length - 1] = { ...before, exchange, all: add(before.all, exchange) };
    } else {
      rows.push({
        kind: 'exchange',
        key: exchange.seq * KEYS + 1,
        exchange,
        all: [exchange],
        mark,
      });
    }
  }
  tellChanges(Number.POSITIVE_INFINITY);
  return rows;
}

/** In place: a row that is grown has not been shown yet. */
function add(all: readonly LiveExchange[], one: LiveExchange): readonly LiveExchange[] {
  (all as LiveExchange[]).push(one);
  return all;
}

/** Whether it is the same question with the same answer: a poll that is not over. */
function isSame(one: LiveExchange, other: LiveExchange): boolean {
  return (
    POLLS.has(one.step) &&
    one.step === other.step &&
    one.status === other.status &&
    one.meaning === other.meaning &&
    one.from === other.from &&
    one.to === other.to &&
    one.path === other.path &&
    one.registration_id === other.registration_id &&
    one.findings.length === other.findings.length &&
    other.findings.every(
      ({ requirement, times }, at) => times > 1 && requirement === one.findings[at]?.requirement,
    )
  );
}
