import { type Attack, GAINS, LEVELS, type Level, type Section } from './model.ts';
import type { Requirement } from './read-requirements.ts';

/** What a check rests on. */
export interface CheckBasis {
  /** The level of the strongest requirement. */
  readonly level: Level;
  readonly section: Section;
  /** The worst of its requirements. */
  readonly attack?: Attack;
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

  /** A check without a requirement is a defect of this suite, which a test finds; it counts as a must. */
  basis(check: string): CheckBasis {
    return this.#byCheck.get(check) ?? UNBOUND;
  }
}

const UNBOUND: CheckBasis = { level: 'must', section: 'standards', requirements: [], sources: [] };

function basisOf(judged: readonly Requirement[]): CheckBasis {
  const strongest = LEVELS.find((level) => judged.some((each) => each.level === level));
  const sorted = judged.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  const attack = worstOf(judged);
  return {
    level: strongest ?? 'may',
    section: sectionOf(judged.map(sectionOfRequirement)),
    ...(attack && { attack }),
    requirements: sorted.map(({ id }) => id),
    sources: [...new Set(sorted.flatMap(({ sources }) => sources))],
  };
}

function worstOf(judged: readonly Requirement[]): Attack | undefined {
  return judged
    .flatMap(({ gain, can }) => (gain !== undefined && can !== undefined ? [{ gain, can }] : []))
    .toSorted((a, b) => GAINS.indexOf(a.gain) - GAINS.indexOf(b.gain))[0];
}

/** A check that judges an attack is one, whatever else it judges; what is about cross-app access stands there. */
function sectionOf(sections: readonly Section[]): Section {
  const order = ['ema', 'attacks', 'protocol'] as const;
  return order.find((each) => sections.includes(each)) ?? 'standards';
}

/** The specification as it was written: its rows are what makes agents work. */
const SPECIFICATION = /^(?:directory )?specification, /;

/** What is weaker than a must is no row of the specification, whatever it elaborates. */
function sectionOfRequirement({ id, level, section, sources }: Requirement): Section {
  if (section !== undefined) return section;
  if (id.startsWith('EMA-')) return 'ema';
  if (sources.some((source) => source.startsWith('attack '))) return 'attacks';
  if (level !== 'must') return 'standards';
  return sources.some((source) => SPECIFICATION.test(source)) ? 'protocol' : 'standards';
}
