import { SECOND } from '../../protocol/durations.ts';

/** How fast an agent may poll; all in ms (wire contract §6). */
export interface Pace {
  /** A poll may be this much early: clocks and networks are not exact. */
  readonly tolerance: number;
  /** By how much `slow_down` raises the interval (RFC 8628 §3.5). */
  readonly step: number;
  /** No interval is raised beyond this. */
  readonly longest: number;
}

export const PACE: Pace = { tolerance: SECOND, step: 5 * SECOND, longest: 60 * SECOND };
