import type { LiveExchange, LiveSnapshot } from '../../mock/live/model.ts';

/** How it stands with the stream: `over` needs a new link. */
export type Connection = 'connecting' | 'open' | 'reconnecting' | 'over';
export type Actor = LiveExchange['from'];
export type State = NonNullable<LiveExchange['state']>;

/** As their lanes go from left to right. */
export const ACTORS: readonly Actor[] = ['agent', 'provider', 'service', 'user'];

export interface ViewState {
  /** By `seq`, oldest first; {@link MOST_KEPT} at most. */
  readonly exchanges: ReadonlyMap<number, LiveExchange>;
  /** Up to this `seq` the reader has put them away. */
  readonly clearedTo: number;
  /** And what controls changed up to then, in milliseconds. */
  readonly clearedAt: number;
  /** So many are missing before the exchange with that `seq`. */
  readonly gaps: ReadonlyMap<number, number>;
  /** So many are missing before whatever comes next. */
  readonly missing: number;
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

/** So many exchanges are kept. */
export const MOST_KEPT = 1_000;

export const EMPTY: ViewState = {
  exchanges: new Map(),
  clearedTo: 0,
  clearedAt: 0,
  gaps: new Map(),
  missing: 0,
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
      return { ...state, connection: told.connection };
    case 'cleared':
      return {
        ...state,
        clearedTo: latestOf(state),
        clearedAt: Date.parse(state.snapshot?.changes.at(-1)?.at ?? '') || 0,
      };
    case 'restored':
      return { ...state, clearedTo: 0, clearedAt: 0 };
    case 'reset': {
      const { connection, snapshot, snapshotAt } = state;
      return { ...EMPTY, connection, snapshot, snapshotAt };
    }
  }
}

function withExchanges(state: ViewState, told: readonly LiveExchange[]): ViewState {
  const exchanges = new Map(state.exchanges);
  const gaps = new Map(state.gaps);
  const latest = latestOf(state);
  let { missing } = state;
  for (const exchange of told) {
    const { seq } = exchange;
    // One that was let go of already.
    if (seq < latest && !exchanges.has(seq)) continue;
    if (missing > 0 && !exchanges.has(seq)) {
      gaps.set(seq, missing);
      missing = 0;
    }
    exchanges.set(seq, exchange);
  }
  for (const seq of [...exchanges.keys()].slice(0, -MOST_KEPT)) {
    exchanges.delete(seq);
    gaps.delete(seq);
  }
  return { ...state, exchanges, gaps, missing };
}

function latestOf({ exchanges }: ViewState): number {
  return [...exchanges.keys()].at(-1) ?? 0;
}

export interface Shown extends Pick<ViewState, 'gaps'> {
  readonly exchanges: readonly LiveExchange[];
  /** What controls changed. */
  readonly changes: LiveSnapshot['changes'];
}

/** What the reader has not put away. */
export function shownOf({ clearedAt, clearedTo, exchanges, gaps, snapshot }: ViewState): Shown {
  const { changes = [] } = snapshot ?? {};
  return {
    exchanges: [...exchanges.values()].filter(({ seq }) => seq > clearedTo),
    changes: changes.filter(({ at }) => Date.parse(at) > clearedAt),
    gaps,
  };
}

/** Whether all that is shown is of others, as behind a proxy: it has no mails to show, and takes no controls. */
export function isPassive({ snapshot }: ViewState): boolean {
  return snapshot?.parties.every(({ controls }) => controls.length === 0) === true;
}
