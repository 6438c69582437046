import type { LiveChange, LiveExchange } from '../../mock/live/model.ts';
import {
  ACTORS,
  type Actor,
  type ExchangeRow,
  type Filter,
  type Shown,
  type State,
  type ViewState,
} from '../state/view-state.ts';
import { type ChangeWords, changeWords } from './change-words.ts';
import { matches, matchesChange } from './filter.ts';

/** A line of the diagram. `key` stays with what is shown. */
export type Row = ExchangeRow | GapRow | ChangeRow;

/** Some exchanges are missing. */
interface GapRow {
  readonly kind: 'gap';
  readonly key: string;
  readonly count: number;
}

/** A control changed something beside the protocol. */
export interface ChangeRow {
  readonly kind: 'change';
  readonly key: string;
  readonly change: LiveChange;
  readonly words: ChangeWords;
}

const POLLS: ReadonlySet<string> = new Set(['poll', 'device_poll']);

/** What caused another exchange began before it, and ended after it: `seq` counts the ends. */
export function rowsOf({ changes, exchanges, gaps }: Shown, filter: Filter): readonly Row[] {
  const rows: Row[] = [];
  const marks = marksOf(exchanges);
  const begun = (one: { readonly at: string }) => Date.parse(one.at);
  // Of one instant an exchange comes before what was changed after it.
  const all = [...exchanges, ...changes].sort((one, other) => begun(one) - begun(other));
  for (const one of all) {
    if ('action' in one) {
      const words = changeWords(one);
      if (words === undefined || !matchesChange(filter, one, words)) continue;
      rows.push({ kind: 'change', key: `${one.role} ${one.seq}`, change: one, words });
      continue;
    }
    const key = String(one.seq);
    const gap = gaps.get(one.seq);
    if (gap !== undefined) rows.push({ kind: 'gap', key: `gap ${key}`, count: gap });
    if (!matches(filter, one)) continue;
    const before = rows.at(-1);
    const mark = marks.get(one.seq);
    if (before?.kind === 'exchange' && mark === undefined && isSame(before.exchange, one)) {
      rows[rows.length - 1] = { ...before, exchange: one, all: [...before.all, one] };
    } else rows.push({ kind: 'exchange', key, exchange: one, all: [one], mark });
  }
  return rows;
}

/** The states that registrations came into, by the `seq` of the exchange that led there. */
function marksOf(exchanges: readonly LiveExchange[]): ReadonlyMap<number, State> {
  const states = new Map<string, State>();
  const marks = new Map<number, State>();
  for (const { registration_id: id, seq, state } of exchanges) {
    if (id === null || state === null || states.get(id) === state) continue;
    states.set(id, state);
    marks.set(seq, state);
  }
  return marks;
}

/** Whether it is the same question with the same answer: a poll that is not over. */
function isSame(one: LiveExchange, other: LiveExchange): boolean {
  const alike = ['step', 'status', 'meaning', 'from', 'to', 'path', 'registration_id'] as const;
  return (
    POLLS.has(one.step) &&
    alike.every((member) => one[member] === other[member]) &&
    one.findings.length === other.findings.length &&
    other.findings.every(
      ({ requirement, times }, at) => times > 1 && requirement === one.findings[at]?.requirement,
    )
  );
}

/**
 * The lanes of those who take part: who is there, who came, who a control stood in for, and the agent that is
 * waited for.
 */
export function lanesOf({ exchanges, snapshot }: ViewState): readonly Actor[] {
  const { changes = [], parties = [] } = snapshot ?? {};
  const actors = new Set<Actor | undefined>([
    'agent',
    ...parties.map(({ role }) => role),
    ...changes.map((change) => changeWords(change)?.lane),
    ...[...exchanges.values()].flatMap(({ from, to }) => [from, to]),
  ]);
  return ACTORS.filter((actor) => actors.has(actor));
}
