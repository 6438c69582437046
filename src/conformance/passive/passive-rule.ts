import type { Explained, Finding } from '../../traffic/index.ts';
import type { KnownTraffic } from './known-traffic.ts';

/** What a rule judges, by a row of `fixtures/requirements`. */
export interface JudgedRequirement {
  readonly id: string;
  /** The level of the row. */
  readonly level: Finding['level'];
  /** Whom the row binds. */
  readonly by: Finding['by'];
}

/** What a rule saw in one exchange. */
export interface Seen {
  /** The requirement that was broken, one of the rule's. */
  readonly requirement: string;
  /** Other requirements of the rule that the same mistake breaks. */
  readonly also?: readonly string[];
  /** A sentence: what was seen, and what should be. */
  readonly message: string;
}

/** Looks at each exchange once, in their order; `known` is what was learned from those before. */
export type Watch = (explained: Explained, known: KnownTraffic) => readonly Seen[];

/** A rule that traffic is judged by. It sends nothing: what it cannot know, it does not find. */
export type PassiveRule = JudgedRule & Sight;

interface JudgedRule {
  readonly id: string;
  readonly requirements: readonly JudgedRequirement[];
  /** What it finds, as the end of a sentence that begins with whose mistake it is. */
  readonly finds: string;
  /** Where it keeps silent though something could be wrong; empty where it does not. */
  readonly spares: string;
}

/** What it sees in an exchange alone; or how it begins to watch, with nothing seen yet. */
type Sight = { readonly sees: Watch } | { readonly watch: () => Watch };
