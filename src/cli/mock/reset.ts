import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks } from './controls/find-mocks.ts';
import { type MockState, presentStates, readState } from './mock-state.ts';

/** Resets the running mocks to their initial state. Their keys stay, so they still trust each other. */
export async function mockReset(context: Context): Promise<Outcome> {
  const states: MockState[] = [];
  for (const target of await findMocks(context)) {
    states.push(readState(target, await callControl(context, target, '/reset', {})));
  }
  context.output.result(presentStates(states, 'reset'));
  return 'done';
}
