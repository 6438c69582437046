import type { LiveActionResult, LiveExchange, LiveSnapshot } from '../../mock/live/model.ts';

/** How it stands with the stream: `over` needs a new link, and `trouble` is that of the store. */
export type Connection = 'connecting' | 'open' | 'trouble' | 'reconnecting' | 'over';
export type Actor = LiveExchange['from'];
export type State = NonNullable<LiveExchange['state']>;
export type PaneId = 'exchanges' | 'registrations' | 'mails' | 'controls';

/** The parties, as their lanes go from left to right. */
export const ACTORS: readonly Actor[] = ['agent', 'provider', 'service', 'user'];

/** Which exchanges are wanted. */
export interface Filter {
  /** The words that have to be there, each of them. */
  readonly text: string;
  /** Who sends or answers; null: anybody. */
  readonly party: Actor | null;
  readonly registration: string | null;
  readonly troubleOnly: boolean;
  /** Whether what a browser fetches beside a page is shown, too. Words that are searched for find it anyway. */
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
  /** The last one, where an agent asked the same again and again. */
  readonly exchange: LiveExchange;
  /** How often it was asked. */
  readonly times: number;
  /** The state that a registration came into by it. */
  readonly mark: State | undefined;
}

export interface ViewState {
  /** The exchanges by `seq`, oldest first; {@link MOST_KEPT} at most. */
  readonly exchanges: ReadonlyMap<number, LiveExchange>;
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

/** How many exchanges are kept. */
export const MOST_KEPT = 1_000;

export const EMPTY: ViewState = {
  exchanges: new Map(),
  snapshot: undefined,
  snapshotAt: 0,
  connection: 'connecting',
  filter: NO_FILTER,
  pane: 'exchanges',
  opened: undefined,
  isBusy: false,
  result: undefined,
};

/** The reader wants to see those of a registration. */
export function onlyOf(registration: string): Partial<ViewState> {
  return { filter: { ...NO_FILTER, registration }, pane: 'exchanges' };
}

/** The stream brought some, new or otherwise than before. */
export function withExchanges(told: readonly LiveExchange[]): Change {
  return ({ exchanges: before }) => {
    const exchanges = new Map(before);
    for (const exchange of told) exchanges.set(exchange.seq, exchange);
    for (const seq of [...exchanges.keys()].slice(0, -MOST_KEPT)) exchanges.delete(seq);
    return { exchanges };
  };
}

/** Whether all that is shown is of others, as behind a proxy: it has no mails to show, and takes no controls. */
export function isPassive({ snapshot }: ViewState): boolean {
  return snapshot?.has_controls === false;
}
