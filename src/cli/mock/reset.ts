import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks } from './controls/find-mocks.ts';
import { type MockState, presentStates, readState } from './mock-state.ts';

/** Brings the running mocks back to how they started. Their keys stay, so that they still trust each other. */
export async function mockReset(context: Context): Promise<Outcome> {
  const states: MockState[] = [];
  for (const target of await findMocks(context)) {
    states.push(readState(target, await callControl(context, target, '/reset', {})));
  }
  context.output.result(presentStates(states, 'reset'));
  return 'done';
}
