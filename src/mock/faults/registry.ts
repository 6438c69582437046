import { nearest } from '../../runtime/nearest.ts';
import type { KnownFault } from '../controls/mock-core.ts';
import type { Fault, Wired } from './fault.ts';

/** The faults that a mock has in this process. */
export interface FaultRegistry<M extends Wired> {
  /** All faults, in the order in which they are folded: the built-in ones, then one's own in the order given. */
  readonly faults: ReadonlyMap<string, Fault<M>>;
  /** The faults as the controls list them, in the same order. */
  readonly known: readonly KnownFault[];
  /** Switched on at the start. */
  readonly initial: readonly string[];
}

const OWN_NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/**
 * The built-in faults and those of one's own that an option brings along.
 * @param groups the built-in ones by what they are about.
 * @throws TypeError that says what is wrong with the option.
 */
export function registerFaults<M extends Wired>(
  groups: Readonly<Record<string, Readonly<Record<string, Fault<M>>>>>,
  given: readonly (string | Fault<M>)[],
): FaultRegistry<M> {
  const faults = new Map<string, Fault<M>>();
  const known: KnownFault[] = [];
  const add = (name: string, group: string | null, fault: Fault<M>): void => {
    faults.set(name, fault);
    known.push({ name, group, description: fault.description });
  };
  for (const [group, members] of Object.entries(groups)) {
    for (const [name, fault] of Object.entries(members)) add(name, group, fault);
  }
  const builtIn = [...faults.keys()];
  const on = new Set<string>();
  // A single name would be read letter by letter.
  if (!Array.isArray(given)) throw new TypeError("faults is a list, such as ['unavailable'].");
  for (const fault of given) {
    if (typeof fault === 'string') {
      if (!builtIn.includes(fault)) {
        const near = nearest(fault, builtIn);
        throw new TypeError(
          `There is no fault "${fault}".${near === undefined ? '' : ` Did you mean "${near}"?`} ` +
            '"agent-auth mock fault --list" lists the faults.',
        );
      }
      on.add(fault);
      continue;
    }
    const name = fault.name ?? `own${faults.size - builtIn.length + 1}`;
    if (!OWN_NAME.test(name)) {
      throw new TypeError(
        `A fault's name is letters and digits, for example "lateEvents": "${name}".`,
      );
    }
    if (faults.has(name)) throw new TypeError(`There is a fault "${name}" already.`);
    add(name, null, fault);
    on.add(name);
  }
  return { faults, known, initial: [...faults.keys()].filter((name) => on.has(name)) };
}
