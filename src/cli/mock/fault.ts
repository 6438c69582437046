import { PROVIDER_FAULTS } from '../../mock-provider/faults/index.ts';
import { SERVICE_FAULTS } from '../../mock-service/faults/index.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nearest } from '../shell/nearest.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMocks } from './controls/find-mocks.ts';
import { type MockState, readState, statesJson } from './mock-state.ts';

export interface MockFaultOptions {
  readonly clear?: true;
}

/** Descriptions by this program, which may be another version than the running mock. */
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<string | { readonly description: string }>({
    ...PROVIDER_FAULTS,
    ...SERVICE_FAULTS,
  }).map(([name, fault]) => [name, typeof fault === 'string' ? fault : fault.description]),
);

/** Switches exactly the named faults on, each where it is known; without a name, shows them. */
export async function mockFault(
  context: Context,
  names: readonly string[],
  { clear }: MockFaultOptions,
): Promise<Outcome> {
  if (clear && names.length > 0) throw usageError('Name faults or use --clear, not both.');
  const before: { readonly target: ControlTarget; readonly state: MockState }[] = [];
  for (const target of await findMocks(context)) {
    before.push({ target, state: readState(target, await callControl(context, target, '')) });
  }
  const known = before.flatMap(({ state }) => state.knownFaults);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw usageError(`The running mocks have no fault "${unknown}".`, {
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

/** All faults, or after a change what is on. */
function presentFaults(states: readonly MockState[], changed: boolean): Rendering {
  return {
    schema: 'mockState',
    json: () => statesJson(states),
    human: (style) =>
      states
        .map(({ part, faults, knownFaults, ownFaults }) => {
          if (changed) {
            return `${style.green('✓')} ${style.bold(part)}: ${onText(faults)}`;
          }
          // Those that are on come first: there are hundreds.
          const known = knownFaults.filter((name) => !faults.includes(name));
          const rows = [...faults, ...known].map((name) => [
            faults.includes(name) ? style.red('on ') : style.dim('off'),
            name,
            style.dim(
              ownFaults.includes(name) ? 'defined in its own process' : (MEANINGS[name] ?? ''),
            ),
          ]);
          return `${style.bold(part)}\n${table(rows)}`;
        })
        .join(changed ? '\n' : '\n\n'),
  };
}

function onText(faults: readonly string[]): string {
  if (faults.length === 0) return 'no fault is on';
  const names = faults.join(', ');
  return faults.length === 1 ? `fault ${names} is on` : `faults ${names} are on`;
}
