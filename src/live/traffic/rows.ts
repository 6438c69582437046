import type { LiveChange, LiveExchange } from '../../mock/live/model.ts';
import { asWords, describeOffset, hasWords } from '../parts/texts.ts';
import { isPageFile, isTrouble } from '../parts/tone.ts';
import { LED_TO } from '../registrations/way-taken.ts';
import {
  ACTORS,
  type Actor,
  type ExchangeRow,
  type Filter,
  type State,
  type ViewState,
} from '../state/view-state.ts';

/** A line of the diagram. `key` stays with what is shown. */
export type Row = ExchangeRow | ChangeRow;

/** A control changed something beside the protocol. */
export interface ChangeRow {
  readonly kind: 'change';
  readonly key: string;
  readonly at: string;
  /** Whose lane it is in: whoever would do it without a control. */
  readonly lane: Actor;
  /** What was done, as the audit trail names it. */
  readonly done: string;
  readonly meaning: string;
  readonly id: string | null;
  /** The state that the registration is in by it. */
  readonly mark: State | undefined;
}

const POLLS: ReadonlySet<string> = new Set(['poll', 'device_poll']);

/** What caused another exchange began before it, and ended after it: `seq` counts the ends. */
export function rowsOf(
  exchanges: readonly LiveExchange[],
  changes: readonly LiveChange[],
  filter: Filter,
): readonly Row[] {
  const rows: Row[] = [];
  const marks = marksOf(exchanges);
  const begun = (one: { readonly at: string }) => Date.parse(one.at);
  // Of one instant an exchange comes before what was changed after it.
  const all = [...exchanges, ...changes].sort((one, other) => begun(one) - begun(other));
  for (const one of all) {
    if ('action' in one) {
      const row = changeRow(one, filter);
      if (row !== undefined) rows.push(row);
      continue;
    }
    if (!matches(filter, one)) continue;
    const before = rows.at(-1);
    const mark = marks.get(one.seq);
    if (before?.kind === 'exchange' && mark === undefined && isSame(before.exchange, one)) {
      rows[rows.length - 1] = { ...before, exchange: one, times: before.times + 1 };
    } else rows.push({ kind: 'exchange', key: String(one.seq), exchange: one, times: 1, mark });
  }
  return rows;
}

/** What a user does, in whose place the control did it. */
const OF_USERS = /^(claim|consent|registration)\.|^sign_in\.(?!set)/;
/** What only goes along with another change. */
const BESIDE = /^(account|assertion|credentials|token|user)\./;

/** What a control set, where its name in the audit trail is a riddle. */
const FACTS: Readonly<Record<string, string>> = {
  decision: 'answer to each sign-in',
  faults: 'faults that are on',
  kid: 'new key',
  rules: 'rules that decide now',
};

/** A change that is wanted, in the words of the audit trail. */
function changeRow(
  { action, at, detail, registration_id: id, role, seq }: LiveChange,
  filter: Filter,
): ChangeRow | undefined {
  const lane = laneOf(action, role);
  const done = asWords(action);
  const facts = Object.entries(detail).map(([name, value]) =>
    name === 'offset_ms'
      ? `offset: ${describeOffset(Number(value)) ?? 'none'}`
      : `${FACTS[name] ?? asWords(name)}: ${value === '' ? 'none' : value}`,
  );
  // Where lanes have no room, and to a screen reader, nothing else says whose change it is.
  const place = lane === 'user' ? 'in place of the user' : `at the ${role}`;
  const meaning = [place, ...facts].join(', ');
  const shown = ['control', done, meaning, lane, role, id];
  if (BESIDE.test(action) || filter.troubleOnly || !fits(filter, [lane, role], id, shown)) {
    return undefined;
  }
  return {
    kind: 'change',
    key: `${role} ${seq}`,
    at,
    lane,
    done,
    meaning,
    id,
    mark: LED_TO[action],
  };
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
  const actors = new Set<Actor>([
    'agent',
    ...parties.map(({ role }) => role),
    ...changes.map(({ action, role }) => laneOf(action, role)),
    ...[...exchanges.values()].flatMap(({ from, to }) => [from, to]),
  ]);
  return ACTORS.filter((actor) => actors.has(actor));
}

function laneOf(action: string, role: Actor): Actor {
  return OF_USERS.test(action) ? 'user' : role;
}

/** Whether one is wanted that is about a registration or none. @param shown what a reader sees of it. */
function fits(
  { party, registration, text }: Filter,
  parties: readonly Actor[],
  id: string | null,
  shown: readonly unknown[],
): boolean {
  return (
    (party === null || parties.includes(party)) &&
    (registration === null || registration === id) &&
    hasWords(shown.join(' '), text)
  );
}

function matches(filter: Filter, exchange: LiveExchange): boolean {
  if (filter.troubleOnly && !isTrouble(exchange)) return false;
  if (!filter.pageFiles && filter.text.trim() === '' && isPageFile(exchange)) return false;
  const { findings, from, meaning, method, notes, path, registration_id: id } = exchange;
  const { state, status, step, to } = exchange;
  return fits(filter, [from, to], id, [
    ...[method, path, status ?? 'no answer', meaning, asWords(step), step],
    ...[from, to, state, id],
    ...notes.map(({ event }) => event),
    ...findings.flatMap(({ also, message, requirement }) => [requirement, ...also, message]),
  ]);
}
