import { displayText } from '../../protocol/text.ts';
import { nearest } from '../../runtime/nearest.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMocks } from './controls/find-mocks.ts';
import { listFaults } from './list-faults.ts';
import { type ListedFault, type MockFaults, readFaults } from './listed-fault.ts';
import { type MockState, readState, statesJson } from './mock-state.ts';

export interface MockFaultOptions {
  readonly clear?: true;
  /** One group, or what groups there are. */
  readonly list?: true | string;
  readonly search?: string;
}

/** Switches exactly the named faults on, each where it is known; without a name, shows those that are on. */
export async function mockFault(
  context: Context,
  names: readonly string[],
  { clear, list, search }: MockFaultOptions,
): Promise<Outcome> {
  const lists = list !== undefined || search !== undefined;
  const ways = [names.length > 0, clear === true, list !== undefined, search !== undefined];
  const wanted = ways.filter(Boolean).length;
  if (wanted > 1) throw usageError('Name faults, or use --clear, or list them: only one of these.');
  if (lists) return listFaults(context, { group: list === true ? undefined : list, search });
  const before: { readonly target: ControlTarget; readonly known: readonly ListedFault[] }[] = [];
  for (const target of await findMocks(context)) {
    before.push({ target, known: readFaults(await callControl(context, target, '/faults')) });
  }
  checkNames(context, names, [...new Set(before.flatMap(({ known }) => known.map(nameOf)))]);
  if (clear !== true && names.length === 0) {
    const states: MockState[] = [];
    for (const { target } of before) {
      states.push(readState(target, await callControl(context, target, '')));
    }
    const mocks = before.map(({ target, known }) => ({
      ...{ mock: target.part, issuer: target.issuer },
      faults: known.filter(({ on }) => on),
    }));
    context.output.result(presentOn(context, states, mocks));
    return 'done';
  }
  const states: MockState[] = [];
  for (const { target, known } of before) {
    const faults = known.map(nameOf).filter((name) => names.includes(name));
    states.push(readState(target, await callControl(context, target, '/faults', { faults })));
  }
  context.output.result(presentChange(states));
  return 'done';
}

function nameOf({ name }: ListedFault): string {
  return name;
}

/** @throws CliError (usage) for a name that none of the mocks has. */
function checkNames(context: Context, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const right = names.map((name) => (name === unknown ? near : name));
  throw usageError(`The running mocks have no fault "${displayText(unknown, 64)}".`, {
    hint: near === undefined ? 'List the faults.' : `Did you mean ${near}?`,
    next:
      near === undefined
        ? nextLine(context, 'mock fault', '--list')
        : nextLine(context, 'mock fault', ...right.filter((name) => name !== undefined)),
  });
}

/** What is on, and how to see what there is. */
function presentOn(
  context: Context,
  states: readonly MockState[],
  mocks: readonly MockFaults[],
): Rendering {
  return {
    schema: 'mockState',
    wraps: true,
    json: () => statesJson(states),
    human: (style) =>
      [
        ...mocks.map(({ mock, faults }) =>
          faults.length === 0
            ? `${style.bold(mock)}: no fault is on`
            : `${style.bold(mock)}:\n${table(faults.map(({ name, description }) => [style.red('on'), name, style.dim(displayText(description, 200))]))}`,
        ),
        `All faults: ${style.cyan(nextLine(context, 'mock fault', '--list').line)}`,
      ].join('\n'),
  };
}

function presentChange(states: readonly MockState[]): Rendering {
  return {
    schema: 'mockState',
    wraps: true,
    json: () => statesJson(states),
    human: (style) =>
      states
        .map(({ part, faults }) => `${style.green('✓')} ${style.bold(part)}: ${onText(faults)}`)
        .join('\n'),
  };
}

function onText(faults: readonly string[]): string {
  if (faults.length === 0) return 'no fault is on';
  const names = faults.join(', ');
  return faults.length === 1 ? `fault ${names} is on` : `faults ${names} are on`;
}
