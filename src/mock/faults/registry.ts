import type { Fault, Wired } from './fault.ts';

/** The faults that a mock has in this process. */
export interface FaultRegistry<M extends Wired> {
  /** In the order in which they are folded: the built-in ones, then one's own in the order given. */
  readonly faults: ReadonlyMap<string, Fault<M>>;
  readonly names: readonly string[];
  /** The names of those that only this process has. */
  readonly own: readonly string[];
  /** Switched on at the start. */
  readonly initial: readonly string[];
}

const OWN_NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/**
 * The built-in faults and those of one's own that an option brings along.
 * @throws TypeError that says what is wrong with the option.
 */
export function registerFaults<M extends Wired>(
  builtIn: Readonly<Record<string, Fault<M>>>,
  given: readonly (string | Fault<M>)[],
): FaultRegistry<M> {
  const faults = new Map(Object.entries(builtIn));
  const on = new Set<string>();
  const own: string[] = [];
  for (const fault of given) {
    if (typeof fault === 'string') {
      if (!Object.hasOwn(builtIn, fault)) {
        throw new TypeError(
          `There is no fault "${fault}". "agent-auth mock fault" and docs/faults.md list those that there are.`,
        );
      }
      on.add(fault);
      continue;
    }
    const name = fault.name ?? `own${own.length + 1}`;
    if (!OWN_NAME.test(name)) {
      throw new TypeError(
        `A fault's name is letters and digits, for example "lateEvents": "${name}".`,
      );
    }
    if (faults.has(name)) throw new TypeError(`There is a fault "${name}" already.`);
    faults.set(name, fault);
    own.push(name);
    on.add(name);
  }
  const names = [...faults.keys()];
  return { faults, names, own, initial: names.filter((name) => on.has(name)) };
}
