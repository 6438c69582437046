import type { LiveSnapshot } from '../../mock/live/model.ts';
import type { Actor } from '../state/view-state.ts';

/** From left to right. */
const ORDER: readonly Actor[] = ['agent', 'provider', 'service', 'user'];

/**
 * The lanes of those who take part: who is there, who came, who a control stood in for, and the agent that is
 * waited for.
 */
export function lanesOf(
  actors: ReadonlySet<Actor>,
  parties: LiveSnapshot['parties'],
  changed: readonly Actor[] = [],
): readonly Actor[] {
  const roles = new Set<Actor>(parties.map(({ role }) => role));
  return ORDER.filter(
    (actor) =>
      actor === 'agent' || actors.has(actor) || roles.has(actor) || changed.includes(actor),
  );
}

export interface Arrow {
  /** Of the width of all lanes, 0 to 1: where it begins at its left, and how long it is. */
  readonly left: number;
  readonly width: number;
  readonly isToLeft: boolean;
}

/** The middle of a lane, of the width of all. */
export function middleOf(lane: number, count: number): number {
  return (lane + 0.5) / count;
}

/** undefined where one of the two has no lane. */
export function arrowOf(lanes: readonly Actor[], from: Actor, to: Actor): Arrow | undefined {
  const [begin, end] = [lanes.indexOf(from), lanes.indexOf(to)];
  if (begin < 0 || end < 0) return undefined;
  const [left, right] = begin < end ? [begin, end] : [end, begin];
  return {
    left: middleOf(left, lanes.length),
    width: (right - left) / lanes.length,
    isToLeft: end < begin,
  };
}
