import type { LiveActionResult, LiveExchange, LiveSnapshot } from '../../mock/live/model.ts';

/** How it stands with the stream: `over` needs a new link. */
export type Connection = 'connecting' | 'open' | 'reconnecting' | 'over';
export type Actor = LiveExchange['from'];
export type State = NonNullable<LiveExchange['state']>;
export type PaneId = 'exchanges' | 'registrations' | 'mails' | 'controls';

/** As their lanes go from left to right. */
export const ACTORS: readonly Actor[] = ['agent', 'provider', 'service', 'user'];

/** Which exchanges are wanted. */
export interface Filter {
  /** Each of its words has to be there. */
  readonly text: string;
  /** Who sends or answers; null: anybody. */
  readonly party: Actor | null;
  readonly registration: string | null;
  readonly troubleOnly: boolean;
  /** Also what a browser fetches beside a page. Words that are searched for find it anyway. */
  readonly pageFiles: boolean;
}

export const NO_FILTER: Filter = {
  text: '',
  party: null,
  registration: null,
  troubleOnly: false,
  pageFiles: false,
};

/** A line of the diagram that shows an exchange. */
export interface ExchangeRow {
  readonly kind: 'exchange';
  readonly key: string;
  /** The last of them; more than one where an agent asked the same again and again. */
  readonly exchange: LiveExchange;
  readonly all: readonly LiveExchange[];
  /** The state that a registration came into by it. */
  readonly mark: State | undefined;
}

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
  readonly filter: Filter;
  readonly pane: PaneId;
  /** Whose details are open. */
  readonly opened: ExchangeRow | undefined;
  /** Whether a button is still at work. */
  readonly isBusy: boolean;
  /** What the last button led to. */
  readonly result: LiveActionResult | undefined;
}

/** What becomes otherwise: some members as they are now, or what they are by those before. */
export type Change = Partial<ViewState> | ((state: ViewState) => Partial<ViewState>);

/** What is shown after a change. */
export function next(state: ViewState, change: Change): ViewState {
  return { ...state, ...(typeof change === 'function' ? change(state) : change) };
}

/** So many exchanges are kept. */
export const MOST_KEPT = 1_000;

/** All that was sent is forgotten: it means nothing any more. */
export const NOTHING_SENT = {
  exchanges: new Map(),
  clearedTo: 0,
  clearedAt: 0,
  gaps: new Map(),
  missing: 0,
} as const;

export const EMPTY: ViewState = {
  ...NOTHING_SENT,
  snapshot: undefined,
  snapshotAt: 0,
  connection: 'connecting',
  filter: NO_FILTER,
  pane: 'exchanges',
  opened: undefined,
  isBusy: false,
  result: undefined,
};

/** The reader puts away what is there, and may have it {@link RESTORED back}. */
export function putAway(state: ViewState): Partial<ViewState> {
  const clearedAt = Date.parse(state.snapshot?.changes.at(-1)?.at ?? '') || 0;
  return { clearedTo: latestOf(state), clearedAt };
}

export const RESTORED: Partial<ViewState> = { clearedTo: 0, clearedAt: 0 };

/** The reader wants to see some exchanges. */
export function filtered(more: Partial<Filter>): Change {
  return ({ filter }) => ({ filter: { ...filter, ...more } });
}

/** The reader wants to see those of a registration. */
export function onlyOf(registration: string): Partial<ViewState> {
  return { filter: { ...NO_FILTER, registration }, pane: 'exchanges' };
}

/** The stream brought some, new or otherwise than before. */
export function withExchanges(told: readonly LiveExchange[]): Change {
  return (state) => {
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
    return { exchanges, gaps, missing };
  };
}

/** The stream said that so many are missing before the next one. */
export function withMissing(count: number): Change {
  return ({ missing }) => ({ missing: missing + count });
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
export function shownOf(
  state: Pick<ViewState, 'clearedAt' | 'clearedTo' | 'exchanges' | 'gaps' | 'snapshot'>,
): Shown {
  const { clearedAt, clearedTo, exchanges, gaps, snapshot } = state;
  return {
    exchanges: [...exchanges.values()].filter(({ seq }) => seq > clearedTo),
    changes: (snapshot?.changes ?? []).filter(({ at }) => Date.parse(at) > clearedAt),
    gaps,
  };
}

/** Which buttons there are. */
export function controlsOf({ snapshot }: ViewState): ReadonlySet<string> {
  return new Set(snapshot?.parties.flatMap(({ controls }) => controls));
}

/** Whether all that is shown is of others, as behind a proxy: it has no mails to show, and takes no controls. */
export function isPassive(state: ViewState): boolean {
  return state.snapshot !== undefined && controlsOf(state).size === 0;
}
