import type { Catalog } from './catalog.ts';
import { LEVELS, type Level, type Section } from './model.ts';
import type { Scenario } from './scenario.ts';

/** What is judged of all scenarios. Left out: everything. */
export interface Selection {
  /** The scenarios or checks to judge, and no others; `*` for any letters. */
  readonly only?: readonly string[];
  /** The scenarios or checks to leave out; `*` for any letters. */
  readonly skip?: readonly string[];
  /** This level and the stronger ones. */
  readonly level?: Level;
  /** The section to judge, and no other. */
  readonly section?: Section;
  /** Whether only scenarios run that create nothing. */
  readonly safe?: boolean;
}

/** What a selection asks of a check. */
interface Selectable {
  readonly id: string;
  readonly scenario: string;
  readonly level: Level;
  readonly section: Section;
}

/** Whether the user left anything out. */
export function isNarrowed({ only, skip, level, section, safe }: Selection): boolean {
  return safe === true || [only, skip, level, section].some((each) => each !== undefined);
}

/** Whether a check is selected. */
export function selects({ only, skip, level, section }: Selection, check: Selectable): boolean {
  const named = (patterns: readonly string[]) =>
    patterns.some((pattern) => isNamedBy(pattern, check.id, check.scenario));
  if (only !== undefined && !named(only)) return false;
  if (skip !== undefined && named(skip)) return false;
  if (section !== undefined && section !== check.section) return false;
  return level === undefined || LEVELS.indexOf(check.level) <= LEVELS.indexOf(level);
}

type Choosable = Pick<Scenario<never>, 'checks' | 'id'>;

/** The names of the checks of a scenario that are selected. */
export function selectedNames(
  { checks, id: scenario }: Choosable,
  catalog: Catalog,
  selection: Selection,
): readonly string[] {
  return Object.keys(checks).filter((name) => {
    const id = `${scenario}.${name}`;
    const { level, section } = catalog.basis(id);
    return selects(selection, { id, scenario, level, section });
  });
}

/** Whether any check of a scenario is selected. */
export function isChosen(scenario: Choosable, catalog: Catalog, selection: Selection): boolean {
  return selectedNames(scenario, catalog, selection).length > 0;
}

/** Whether a pattern of `only` or `skip` names a check. */
export function isNamedBy(pattern: string, id: string, scenario: string): boolean {
  return matches(pattern, id) || matches(pattern, scenario);
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}
