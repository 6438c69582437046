import { LEVELS, type Level } from './model.ts';
import type { Requirement } from './requirement.ts';

/** What a check rests on. */
export interface CheckBasis {
  /** Of the strongest requirement. */
  readonly level: Level;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
}

/** The requirements, by the checks that judge them. */
export class Catalog {
  readonly requirements: readonly Requirement[];
  readonly #byCheck = new Map<string, CheckBasis>();

  constructor(requirements: readonly Requirement[]) {
    this.requirements = requirements;
    const grouped = new Map<string, Requirement[]>();
    for (const requirement of requirements) {
      for (const check of requirement.checks ?? []) {
        grouped.set(check, [...(grouped.get(check) ?? []), requirement]);
      }
    }
    for (const [check, judged] of grouped) this.#byCheck.set(check, basisOf(judged));
  }

  /** The ids of the checks that requirements name. */
  get checks(): readonly string[] {
    return [...this.#byCheck.keys()];
  }

  /** Undefined for a check that no requirement names. */
  basis(check: string): CheckBasis | undefined {
    return this.#byCheck.get(check);
  }
}

function basisOf(judged: readonly Requirement[]): CheckBasis {
  const strongest = LEVELS.find((level) => judged.some((each) => each.level === level));
  const sorted = judged.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return {
    level: strongest ?? 'may',
    requirements: sorted.map(({ id }) => id),
    sources: [...new Set(sorted.flatMap(({ sources }) => sources))],
  };
}
