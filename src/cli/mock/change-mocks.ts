import type { JsonObject } from '../../protocol/json.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks } from './controls/find-mocks.ts';
import { type MockState, presentStates, readState } from './mock-state.ts';

/** Moves the clock of the running mocks. Mocks that share a store share the clock. */
export function mockAdvance(context: Context, by: number): Promise<Outcome> {
  // The first is moved; the other is set to the same offset, whether it shares the store or not.
  return changeMocks(context, 'clock', (first) =>
    first === undefined ? { advance: by } : { offset_ms: first.clockOffset },
  );
}

/** Resets the running mocks to their initial state. Their keys stay, so they still trust each other. */
export function mockReset(context: Context): Promise<Outcome> {
  return changeMocks(context, 'reset', () => ({}));
}

async function changeMocks(
  context: Context,
  change: 'clock' | 'reset',
  bodyAfter: (first: MockState | undefined) => JsonObject,
): Promise<Outcome> {
  const states: MockState[] = [];
  for (const target of await findMocks(context)) {
    const state = await callControl(context, target, `/${change}`, bodyAfter(states[0]));
    states.push(readState(target, state));
  }
  context.output.result(presentStates(states, change));
  return 'done';
}
