import type { State } from '../state/view-state.ts';
import { CHART, CHART_STATES, CHART_WAYS, type ChartWay, takenWays } from './state-chart.ts';

interface StateDiagramProps {
  readonly state: State;
  /** The states so far, oldest first. */
  readonly way: readonly State[];
}

/** The machine with the state that a registration is in, and the way that it took. */
export function StateDiagram({ state, way }: StateDiagramProps) {
  const taken = takenWays(way);
  const isTaken = ({ from, to }: ChartWay) => taken.has(`${from} ${to}`);
  // What was taken lies on top.
  const ways = [...CHART_WAYS.filter((way) => !isTaken(way)), ...CHART_WAYS.filter(isTaken)];
  const { height, stateHeight, stateWidth, width } = CHART;
  const label =
    way.length > 1 ? `It went from ${way.join(' to ')}.` : `It is ${state}, from its beginning.`;
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {ways.map(({ event, from, path, to, x, y }) => (
        <g key={`${from} ${to}`} class={taken.has(`${from} ${to}`) ? 'way taken' : 'way'}>
          <path d={path} />
          <path class="tip" d={tipOf(path)} />
          {event !== '' && (
            <text x={x} y={y}>
              {event}
            </text>
          )}
        </g>
      ))}
      {CHART_STATES.map(({ state: each, x, y }) => (
        <g
          key={each}
          class={`node state-${each}${way.includes(each) ? ' seen' : ''}${each === state ? ' now' : ''}`}
        >
          <rect
            x={x - stateWidth / 2}
            y={y - stateHeight / 2}
            width={stateWidth}
            height={stateHeight}
            rx={stateHeight / 2}
          />
          <text x={x} y={y + 4.5}>
            {each}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The head of an arrow at the end of a path, which leads to the right, up or down. */
function tipOf(path: string): string {
  const [, x = '0', y = '0'] = /([\d.]+) ([\d.]+)$/.exec(path) ?? [];
  const [, alongX] = /H([\d.]+)$/.exec(path) ?? [];
  const [, startX = '0', startY = '0'] = /^M([\d.]+) ([\d.]+)/.exec(path) ?? [];
  const [, downY] = /V([\d.]+)$/.exec(path) ?? [];
  if (alongX !== undefined) return `M${alongX} ${Number(startY) - 4}l5 4-5 4z`;
  if (downY !== undefined) {
    const isUp = Number(downY) < Number(startY);
    return isUp
      ? `M${Number(startX) - 4} ${downY}l4-5 4 5z`
      : `M${Number(startX) - 4} ${downY}l4 5 4-5z`;
  }
  // A curve ends downwards, but for the one that comes from the left.
  return Number(y) === 214 ? `M${x} ${Number(y) - 4}l5 4-5 4z` : `M${Number(x) - 4} ${y}l4 5 4-5z`;
}
