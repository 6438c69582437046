import type { Decisions } from '../context/decisions.ts';
import { DECISIONS } from '../context/decisions.ts';
import type { Redecided } from './service-fault.ts';

/** The lists of named checks among the decisions. */
type ListName = {
  [Name in keyof Decisions]: Decisions[Name] extends readonly Check<never, unknown>[]
    ? Name
    : never;
}[keyof Decisions];

interface Check<Facts, Refusal> {
  readonly name: string;
  readonly check: (facts: Facts) => Refusal;
}

type Judge<List extends ListName> = Decisions[List][number]['check'];
type FactsOf<List extends ListName> = Parameters<Judge<List>>[0];
type CheckOf<List extends ListName> = Check<FactsOf<List>, ReturnType<Judge<List>> | undefined>;

/**
 * A list with its checks changed.
 * @throws TypeError when no check of the right list has one of these names.
 */
function changing<List extends ListName>(
  list: List,
  names: readonly string[],
  change: (checks: readonly CheckOf<List>[]) => readonly CheckOf<List>[],
): Redecided {
  requireChecks(list, names);
  return (right) => {
    const checks: readonly unknown[] = right[list];
    return { ...right, [list]: change(checks as readonly CheckOf<List>[]) };
  };
}

/** @throws TypeError when no check of the right list has one of these names. */
export function requireChecks(list: ListName | 'redemptionChecks', names: readonly string[]): void {
  const known = DECISIONS[list].map(({ name }) => String(name));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${list} has no check "${unknown}". Checks: ${known.join(', ')}.`);
}

/** Leaves one check out. */
export function omitting<List extends ListName>(list: List, name: string): Redecided {
  return changing(list, [name], (checks) => checks.filter((check) => check.name !== name));
}

/** Makes one check another way. */
export function replacingCheck<List extends ListName>(
  list: List,
  name: string,
  change: (right: CheckOf<List>['check']) => CheckOf<List>['check'],
): Redecided {
  return changing(list, [name], (checks) =>
    checks.map((one) => (one.name === name ? { ...one, check: change(one.check) } : one)),
  );
}

/** Makes one check let pass, too, what it should not. */
export function tolerating<List extends ListName>(
  list: List,
  name: string,
  isTolerated: (facts: FactsOf<List>) => boolean,
): Redecided {
  return replacingCheck(
    list,
    name,
    (right) => (facts) => (isTolerated(facts) ? undefined : right(facts)),
  );
}

/** Makes one check before another that should come first. */
export function movingUp<List extends ListName>(
  list: List,
  name: string,
  before: string,
): Redecided {
  return changing(list, [name, before], (checks) => {
    const moved = checks.filter((check) => check.name === name);
    return checks.flatMap((check) => {
      if (check.name === name) return [];
      return check.name === before ? [...moved, check] : [check];
    });
  });
}
