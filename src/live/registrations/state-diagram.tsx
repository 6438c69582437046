import type { State } from '../state/view-state.ts';
import { takenWays } from './way-taken.ts';

/** The middle of each state. What goes well goes to the right, what ends goes down. */
const STATES = [
  ['unclaimed', 54, 26],
  ['pending', 192, 26],
  ['claimed', 330, 26],
  ['lapsed', 192, 118],
  ['expired', 54, 216],
  ['revoked', 330, 216],
] as const satisfies readonly (readonly [State, x: number, y: number])[];

/** The claim machine (wire contract §8): from where to where, drawn how, and what leads there, written where. */
const WAYS: readonly (readonly [
  way: string,
  path: string,
  event?: string,
  x?: number,
  y?: number,
])[] = [
  ['unclaimed pending', 'M100 26H142', 'start', 121, 19],
  ['pending claimed', 'M238 26H280', 'code', 259, 19],
  ['pending lapsed', 'M182 42V98', 'deny, time', 150, 74],
  ['lapsed pending', 'M202 102V46', 'start', 220, 74],
  ['unclaimed expired', 'M54 42V196', 'time', 36, 122],
  ['pending expired', 'M160 42C120 90 76 130 66 196'],
  ['lapsed expired', 'M160 134C120 150 92 168 80 196'],
  ['claimed revoked', 'M330 42V196', 'revoke', 357, 122],
  ['pending revoked', 'M224 42C264 90 308 130 318 196'],
  ['lapsed revoked', 'M224 134C264 150 292 168 304 196'],
  ['unclaimed revoked', 'M96 42C130 120 190 204 280 214'],
];

interface StateDiagramProps {
  readonly state: State;
  /** The states so far, oldest first. */
  readonly way: readonly State[];
}

/** The machine with the state that a registration is in, and the way that it took. */
export function StateDiagram({ state, way }: StateDiagramProps) {
  const taken = takenWays(way);
  // What was taken lies on top.
  const ways = WAYS.toSorted(([one], [other]) => Number(taken.has(one)) - Number(taken.has(other)));
  const label =
    way.length > 1 ? `It went from ${way.join(' to ')}.` : `It is ${state}, from its beginning.`;
  return (
    <svg class="chart" viewBox="0 0 384 244" role="img" aria-label={label}>
      {['way', 'taken'].map((kind) => (
        <marker
          key={kind}
          id={`tip-${kind}`}
          class={kind}
          viewBox="0 0 5 8"
          refX="0"
          refY="4"
          markerWidth="5"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path class="tip" d="m0 0 5 4-5 4z" />
        </marker>
      ))}
      {ways.map(([each, path, event, x, y]) => (
        <g key={each} class={taken.has(each) ? 'way taken' : 'way'}>
          <path d={path} marker-end={`url(#tip-${taken.has(each) ? 'taken' : 'way'})`} />
          <text x={x} y={y}>
            {event}
          </text>
        </g>
      ))}
      {STATES.map(([each, x, y]) => (
        <g
          key={each}
          class={`node state-${each}${way.includes(each) ? ' seen' : ''}${each === state ? ' now' : ''}`}
        >
          <rect x={x - 46} y={y - 16} width={92} height={32} rx={16} />
          <text x={x} y={y + 4.5}>
            {each}
          </text>
        </g>
      ))}
    </svg>
  );
}
