import type { Tamper } from '../http/tamper.ts';
import type { Fault, Wired } from './fault.ts';

/** A mock with some faults, and what its answers go through before they leave. */
export interface Assembled<M extends Wired> {
  readonly mock: M;
  readonly tampers: readonly Tamper[];
}

/** Folds faults over the right mock, each over what the ones before it left. Without any it is the right mock. */
export function assemble<M extends Wired>(right: M, faults: readonly Fault<M>[]): Assembled<M> {
  let mock = right;
  for (const { config, decisions, parts } of faults) {
    if (config) mock = { ...mock, config: following(mock.config, config) };
    if (decisions) mock = { ...mock, decisions: decisions(mock.decisions) };
    if (parts) mock = { ...mock, ...parts(mock) };
  }
  return { mock, tampers: faults.flatMap(({ answers }) => answers ?? []) };
}

/** A configuration as a fault has it, that follows what controls change of the right one: its getters stay such. */
function following<C extends object>(right: C, change: (right: C) => C): C {
  const live = Object.entries(Object.getOwnPropertyDescriptors(right)).filter(([, { get }]) => get);
  const getters = live.map(([name]) => [
    name,
    { enumerable: true, get: () => change(right)[name as keyof C] },
  ]);
  return Object.defineProperties({ ...change(right) }, Object.fromEntries(getters));
}
