import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks } from './controls/find-mocks.ts';
import { type MockState, presentStates, readState } from './mock-state.ts';

/** Moves the clock of the running mocks. Mocks that share a store share the clock. */
export async function mockAdvance(context: Context, by: number): Promise<Outcome> {
  const states: MockState[] = [];
  for (const target of await findMocks(context)) {
    const [first] = states;
    // The first is moved; the other is set to the same offset, whether it shares the store or not.
    const move = first === undefined ? { advance: by } : { offset_ms: first.clockOffset };
    states.push(readState(target, await callControl(context, target, '/clock', move)));
  }
  context.output.result(presentStates(states, 'clock'));
  return 'done';
}
