import type { JsonObject } from '../../../protocol/json.ts';
import type { ControlTarget, Part } from './find-mocks.ts';

/** How a mock says that it stands. */
export interface MockState {
  readonly part: Part;
  readonly issuer: string;
  /** RFC 3339. */
  readonly now: string;
  readonly clockOffset: number;
  readonly faults: readonly string[];
  readonly knownFaults: readonly string[];
  /** Those of them that were given to the mock as objects, and that its process alone knows. */
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
    knownFaults: names(body['known_faults']),
    ownFaults: names(body['own_faults']),
  };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
