import { LEVELS, type Level } from './model.ts';

export interface Selection {
  /** Only these scenarios or checks; `*` for any letters. */
  readonly only?: readonly string[];
  /** Not these scenarios or checks; `*` for any letters. */
  readonly skip?: readonly string[];
  /** This level and the stronger ones. */
  readonly level?: Level;
  /** Only scenarios that create nothing. */
  readonly safe?: boolean;
}

/** Whether a check is selected. */
export function selects(
  { only, skip, level }: Selection,
  check: { readonly id: string; readonly scenario: string; readonly level: Level },
): boolean {
  const named = (patterns: readonly string[]) =>
    patterns.some((pattern) => matches(pattern, check.id) || matches(pattern, check.scenario));
  if (only !== undefined && !named(only)) return false;
  if (skip !== undefined && named(skip)) return false;
  return level === undefined || LEVELS.indexOf(check.level) <= LEVELS.indexOf(level);
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}
