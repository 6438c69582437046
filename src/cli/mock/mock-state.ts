import { describeDuration } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Rendering } from '../shell/output.ts';
import type { ControlTarget, Part } from './controls/find-mocks.ts';

/** The state of a mock, as its controls report it. */
export interface MockState {
  readonly part: Part;
  readonly issuer: string;
  /** RFC 3339. */
  readonly now: string;
  readonly clockOffset: number;
  readonly faults: readonly string[];
  /** Those that were given to the mock as objects: they exist in its process only. */
  readonly ownFaults: readonly string[];
}

export function readState({ part, issuer }: ControlTarget, body: JsonObject): MockState {
  const offset = body['clock_offset_ms'];
  return {
    part,
    issuer,
    now: String(body['now']),
    clockOffset: typeof offset === 'number' ? offset : 0,
    faults: names(body['faults']),
    ownFaults: names(body['own_faults']),
  };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The state of the mocks after a change. */
export function presentStates(states: readonly MockState[], change: 'clock' | 'reset'): Rendering {
  return {
    schema: 'mockState',
    json: () => statesJson(states),
    human: (style) =>
      states
        .map(({ part, now, clockOffset, issuer }) =>
          change === 'reset'
            ? `${style.green('✓')} The ${part} at ${issuer} is reset.`
            : `${style.green('✓')} The ${part} at ${issuer} is at ${now}, ${offsetText(clockOffset)}.`,
        )
        .join('\n'),
  };
}

export function statesJson(states: readonly MockState[]) {
  return {
    mocks: states.map((state) => ({
      mock: state.part,
      issuer: state.issuer,
      now: state.now,
      clock_offset_ms: state.clockOffset,
      faults: state.faults,
      own_faults: state.ownFaults,
    })),
  };
}

function offsetText(offset: number): string {
  if (offset === 0) return 'the real time';
  const size = describeDuration(Math.abs(offset));
  return offset > 0 ? `${size} ahead` : `${size} behind`;
}
