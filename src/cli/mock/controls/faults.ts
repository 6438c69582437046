import { displayText } from '../../../protocol/text.ts';
import { nearest } from '../../../runtime/nearest.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { nextLine } from '../../shell/next-line.ts';
import { table } from '../../terminal/table.ts';
import type { FaultOptions } from '../control-options.ts';
import { askEach, callControl } from './control.ts';
import type { FaultsBody } from './list-faults.ts';
import { presentStates, type State, statesJson } from './state.ts';

/** Switches exactly the named faults on, each where it is known; without a name, shows those that are on. */
export async function mockFault(
  context: Context,
  names: readonly string[],
  { clear, list, search }: FaultOptions,
): Promise<Outcome> {
  const ways = [names.length > 0, clear === true, list !== undefined, search !== undefined];
  const wanted = ways.filter(Boolean).length;
  if (wanted > 1) throw usageError('Name faults, or use --clear, or list them: only one of these.');
  if (list !== undefined || search !== undefined) {
    const { listFaults } = await import('./list-faults.ts');
    return listFaults(context, { group: list === true ? undefined : list, search });
  }
  const before = await askEach<FaultsBody>(context, () => ['/faults']);
  const known = before.flatMap(({ body }) => body.faults.map(({ name }) => name));
  checkNames(context, names, [...new Set(known)]);
  if (clear === true || names.length > 0) {
    const states = [];
    for (const { target, body } of before) {
      const own = body.faults.map(({ name }) => name).filter((name) => names.includes(name));
      const state = await callControl<State>(context, target, '/faults', { faults: own });
      states.push({ target, body: state });
    }
    return context.output.result(
      presentStates(
        states,
        ({ target, body }, style) => `${style.bold(target.part)}: ${onText(body.faults)}`,
      ),
    );
  }
  const states = await askEach<State>(context, () => ['']);
  return context.output.result({
    schema: 'mockState',
    wraps: true,
    json: () => statesJson(states),
    human: (style) =>
      [
        ...before.map(({ target: { part }, body }) => {
          const on = body.faults.filter((fault) => fault.on);
          if (on.length === 0) return `${style.bold(part)}: no fault is on`;
          const rows = on.map(({ name, description }) => [
            style.red('on'),
            name,
            style.dim(displayText(description, 200)),
          ]);
          return `${style.bold(part)}:\n${table(rows)}`;
        }),
        `All faults: ${style.cyan(nextLine(context, 'mock fault', '--list').line)}`,
      ].join('\n'),
  });
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

function onText(faults: readonly string[]): string {
  if (faults.length === 0) return 'no fault is on';
  const names = faults.join(', ');
  return faults.length === 1 ? `fault ${names} is on` : `faults ${names} are on`;
}
