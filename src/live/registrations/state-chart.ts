import type { State } from '../state/view-state.ts';

export interface ChartState {
  readonly state: State;
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
}

export interface ChartWay {
  readonly from: State;
  readonly to: State;
  /** What leads there. */
  readonly event: string;
  /** Of an SVG. */
  readonly path: string;
  /** Where the event is written. */
  readonly x: number;
  readonly y: number;
}

export const CHART = { width: 384, height: 244, stateWidth: 92, stateHeight: 32 } as const;

const COLUMNS = [54, 192, 330] as const;
const ROWS = [26, 118, 216] as const;

/** The claim machine (wire contract §8), as it is drawn: what goes well goes to the right, what ends goes down. */
export const CHART_STATES: readonly ChartState[] = [
  { state: 'unclaimed', x: COLUMNS[0], y: ROWS[0] },
  { state: 'pending', x: COLUMNS[1], y: ROWS[0] },
  { state: 'claimed', x: COLUMNS[2], y: ROWS[0] },
  { state: 'lapsed', x: COLUMNS[1], y: ROWS[1] },
  { state: 'expired', x: COLUMNS[0], y: ROWS[2] },
  { state: 'revoked', x: COLUMNS[2], y: ROWS[2] },
];

export const CHART_WAYS: readonly ChartWay[] = [
  { from: 'unclaimed', to: 'pending', event: 'start', path: 'M100 26H142', x: 121, y: 19 },
  { from: 'pending', to: 'claimed', event: 'code', path: 'M238 26H280', x: 259, y: 19 },
  { from: 'pending', to: 'lapsed', event: 'deny, time', path: 'M182 42V98', x: 150, y: 74 },
  { from: 'lapsed', to: 'pending', event: 'start', path: 'M202 102V46', x: 220, y: 74 },
  { from: 'unclaimed', to: 'expired', event: 'time', path: 'M54 42V196', x: 36, y: 122 },
  { from: 'pending', to: 'expired', event: '', path: 'M160 42C120 90 76 130 66 196', x: 0, y: 0 },
  { from: 'lapsed', to: 'expired', event: '', path: 'M160 134C120 150 92 168 80 196', x: 0, y: 0 },
  { from: 'claimed', to: 'revoked', event: 'revoke', path: 'M330 42V196', x: 357, y: 122 },
  { from: 'pending', to: 'revoked', event: '', path: 'M224 42C264 90 308 130 318 196', x: 0, y: 0 },
  {
    from: 'lapsed',
    to: 'revoked',
    event: '',
    path: 'M224 134C264 150 292 168 304 196',
    x: 0,
    y: 0,
  },
  {
    from: 'unclaimed',
    to: 'revoked',
    event: '',
    path: 'M96 42C130 120 190 204 280 214',
    x: 0,
    y: 0,
  },
];

/** The ways that were taken, as `from to`; of each pair of states one follows the other. */
export function takenWays(way: readonly State[]): ReadonlySet<string> {
  return new Set(way.slice(1).map((to, index) => `${way[index]} ${to}`));
}
