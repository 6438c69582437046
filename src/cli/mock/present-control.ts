import { PROVIDER_FAULTS } from '../../mock-provider/faults/index.ts';
import { SERVICE_FAULTS } from '../../mock-service/faults/index.ts';
import { describeDuration } from '../../protocol/durations.ts';
import type { JsonData, Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import type { Part } from './controls/find-mocks.ts';
import type { MockState } from './controls/mock-state.ts';

/** In the words of this program, which may be another version than the one that runs. */
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<string | { readonly description: string }>({
    ...PROVIDER_FAULTS,
    ...SERVICE_FAULTS,
  }).map(([name, fault]) => [name, typeof fault === 'string' ? fault : fault.description]),
);

export interface Rotation {
  readonly part: Part;
  readonly kid: string;
  /** RFC 3339. */
  readonly signsFrom: string;
}

/** How the mocks stand after a change. */
export function presentStates(states: readonly MockState[], change: 'clock' | 'reset'): Rendering {
  return {
    schema: 'mockState',
    json: () => ({ mocks: states.map(stateJson) }),
    human: (style) =>
      states
        .map(({ part, now, clockOffset, issuer }) =>
          change === 'reset'
            ? `${style.green('✓')} The ${part} at ${issuer} is as at its start.`
            : `${style.green('✓')} The ${part} at ${issuer} says ${now}, ${offsetText(clockOffset)}.`,
        )
        .join('\n'),
  };
}

/** All faults, or after a change what is on. */
export function presentFaults(states: readonly MockState[], changed: boolean): Rendering {
  return {
    schema: 'mockState',
    json: () => ({ mocks: states.map(stateJson) }),
    human: (style) =>
      states
        .map(({ part, faults, knownFaults, ownFaults }) => {
          if (changed) {
            const on = faults.length === 0 ? 'does nothing wrong' : faults.join(', ');
            return `${style.green('✓')} ${style.bold(part)}: ${on}`;
          }
          // What it does wrong now stands first: there are hundreds.
          const known = knownFaults.filter((name) => !faults.includes(name));
          const rows = [...faults, ...known].map((name) => [
            faults.includes(name) ? style.red('on ') : style.dim('off'),
            name,
            style.dim(ownFaults.includes(name) ? 'one of its own process' : (MEANINGS[name] ?? '')),
          ]);
          return `${style.bold(part)}\n${table(rows)}`;
        })
        .join(changed ? '\n' : '\n\n'),
  };
}

export function presentRotation(rotations: readonly Rotation[]): Rendering {
  return {
    schema: 'mockRotate',
    json: () => ({
      keys: rotations.map(({ part, kid, signsFrom }) => ({
        mock: part,
        kid,
        signs_from: signsFrom,
      })),
    }),
    human: (style) =>
      rotations
        .map(
          ({ part, kid, signsFrom }) =>
            `${style.green('✓')} The ${part} publishes ${kid} and signs with it from ${signsFrom}.`,
        )
        .join('\n'),
  };
}

function stateJson(state: MockState): JsonData {
  return {
    mock: state.part,
    issuer: state.issuer,
    now: state.now,
    clock_offset_ms: state.clockOffset,
    faults: state.faults,
    known_faults: state.knownFaults,
    own_faults: state.ownFaults,
  };
}

function offsetText(offset: number): string {
  if (offset === 0) return 'the true time';
  const size = describeDuration(Math.abs(offset));
  return offset > 0 ? `${size} ahead` : `${size} behind`;
}
