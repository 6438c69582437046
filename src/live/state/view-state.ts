import type { LiveExchange, LiveSnapshot } from '../../mock/live/model.ts';

/** How it stands with the stream: `over` needs a new link. */
export type Connection = 'connecting' | 'open' | 'reconnecting' | 'over';
export type Actor = LiveExchange['from'];
export type State = NonNullable<LiveExchange['state']>;

export interface ViewState {
  /** By `seq`, oldest first; {@link MOST_KEPT} at most. */
  readonly exchanges: readonly LiveExchange[];
  /** Up to this `seq` the reader has put them away. */
  readonly clearedTo: number;
  /** And what controls changed up to then, in milliseconds. */
  readonly clearedAt: number;
  /** So many are missing before the exchange with that `seq`. */
  readonly gaps: ReadonlyMap<number, number>;
  /** So many are missing before whatever comes next. */
  readonly missing: number;
  /** The state that a registration came into, by the `seq` of the exchange that led it there. */
  readonly marks: ReadonlyMap<number, State>;
  /** The state of each registration, as far as exchanges showed it. */
  readonly states: ReadonlyMap<string, State>;
  /** Who took part so far. */
  readonly actors: ReadonlySet<Actor>;
  readonly snapshot: LiveSnapshot | undefined;
  /** When the snapshot came, by the clock of this machine, in milliseconds. */
  readonly snapshotAt: number;
  readonly connection: Connection;
}

export type Told =
  | { readonly kind: 'exchanges'; readonly exchanges: readonly LiveExchange[] }
  | { readonly kind: 'dropped'; readonly count: number }
  | { readonly kind: 'snapshot'; readonly snapshot: LiveSnapshot; readonly at: number }
  | { readonly kind: 'connection'; readonly connection: Connection }
  /** The reader puts away what is there, and may have it back. */
  | { readonly kind: 'cleared' | 'restored' }
  /** What is there means nothing any more. */
  | { readonly kind: 'reset' };

/** So many exchanges, and states of registrations, are kept. */
export const MOST_KEPT = 10_000;

export const EMPTY: ViewState = {
  exchanges: [],
  clearedTo: 0,
  clearedAt: 0,
  gaps: new Map(),
  missing: 0,
  marks: new Map(),
  states: new Map(),
  actors: new Set(),
  snapshot: undefined,
  snapshotAt: 0,
  connection: 'connecting',
};

/** What is shown after something was told. */
export function next(state: ViewState, told: Told): ViewState {
  switch (told.kind) {
    case 'exchanges':
      return withExchanges(state, told.exchanges);
    case 'dropped':
      return { ...state, missing: state.missing + told.count };
    case 'snapshot':
      return { ...state, snapshot: told.snapshot, snapshotAt: told.at };
    case 'connection':
      return state.connection === told.connection
        ? state
        : { ...state, connection: told.connection };
    case 'cleared':
      return {
        ...state,
        clearedTo: state.exchanges.at(-1)?.seq ?? 0,
        clearedAt: Date.parse(state.snapshot?.changes.at(-1)?.at ?? '') || 0,
      };
    case 'restored':
      return { ...state, clearedTo: 0, clearedAt: 0 };
    case 'reset':
      return {
        ...state,
        exchanges: [],
        clearedTo: 0,
        clearedAt: 0,
        gaps: new Map(),
        marks: new Map(),
        actors: new Set(),
      };
  }
}

function withExchanges(state: ViewState, told: readonly LiveExchange[]): ViewState {
  const exchanges = [...state.exchanges];
  const gaps = new Map(state.gaps);
  const marks = new Map(state.marks);
  const states = new Map(state.states);
  const actors = new Set(state.actors);
  let { missing } = state;
  for (const exchange of told) {
    const at = indexOf(exchanges, exchange.seq);
    if (exchanges[at]?.seq === exchange.seq) {
      exchanges[at] = exchange;
    } else if (at === exchanges.length) {
      if (missing > 0) gaps.set(exchange.seq, missing);
      missing = 0;
      exchanges.push(exchange);
    } else {
      // One that was let go of already.
      continue;
    }
    actors.add(exchange.from).add(exchange.to);
    const { registration_id: id, seq, state: came } = exchange;
    if (id === null || came === null || states.get(id) === came) continue;
    marks.set(seq, came);
    states.delete(id);
    states.set(id, came);
  }
  const gone = exchanges.splice(0, Math.max(0, exchanges.length - MOST_KEPT));
  for (const { seq } of gone) {
    gaps.delete(seq);
    marks.delete(seq);
  }
  for (const id of states.keys()) {
    if (states.size <= MOST_KEPT) break;
    states.delete(id);
  }
  return { ...state, exchanges, gaps, marks, states, actors, missing };
}

/** The exchanges that the reader has not put away. */
export function notCleared({
  clearedTo,
  exchanges,
}: Pick<ViewState, 'clearedTo' | 'exchanges'>): readonly LiveExchange[] {
  return clearedTo === 0 ? exchanges : exchanges.slice(indexOf(exchanges, clearedTo + 1));
}

const NO_CHANGES: readonly never[] = [];

/** What controls changed, but for what the reader has put away. */
export function changesOf({
  clearedAt,
  snapshot,
}: Pick<ViewState, 'clearedAt' | 'snapshot'>): LiveSnapshot['changes'] {
  const changes = snapshot?.changes ?? NO_CHANGES;
  return clearedAt === 0 ? changes : changes.filter(({ at }) => Date.parse(at) > clearedAt);
}

/** Where an exchange with that `seq` stands, or would. */
function indexOf(exchanges: readonly LiveExchange[], seq: number): number {
  const last = exchanges.at(-1);
  if (last === undefined || seq > last.seq) return exchanges.length;
  let [low, high] = [0, exchanges.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((exchanges[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
