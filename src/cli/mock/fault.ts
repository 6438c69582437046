import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nearest } from '../shell/nearest.ts';
import { nextLine } from '../shell/next-line.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMocks } from './controls/find-mocks.ts';
import { type MockState, readState } from './controls/mock-state.ts';
import { presentFaults } from './present-control.ts';

export interface MockFaultOptions {
  readonly clear?: true;
}

/** Switches exactly the named faults on, each where it is known; without a name, shows them. */
export async function mockFault(
  context: Context,
  names: readonly string[],
  { clear }: MockFaultOptions,
): Promise<Outcome> {
  if (clear && names.length > 0) throw usageError('Either name faults, or give --clear.');
  const before: { readonly target: ControlTarget; readonly state: MockState }[] = [];
  for (const target of await findMocks(context)) {
    before.push({ target, state: readState(target, await callControl(context, target, '')) });
  }
  const known = before.flatMap(({ state }) => state.knownFaults);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw usageError(`The running mocks know no fault "${unknown}".`, {
      hint:
        near === undefined
          ? 'Without a name, this command lists them.'
          : `Did you mean ${near}? Without a name, this command lists them.`,
      next: nextLine(context, 'mock fault'),
    });
  }
  const changed = clear === true || names.length > 0;
  const states: MockState[] = [];
  for (const { target, state } of before) {
    const faults = names.filter((name) => state.knownFaults.includes(name));
    states.push(
      changed
        ? readState(target, await callControl(context, target, '/faults', { faults }))
        : state,
    );
  }
  context.output.result(presentFaults(states, changed));
  return 'done';
}
