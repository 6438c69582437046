import type { Tamper } from '../http/tamper.ts';

/** What every mock is made of: how it is configured, what it decides by, and its parts beside these. */
export interface Wired {
  readonly config: object;
  readonly decisions: object;
}

/** A way to be wrong, whole, in one place: what it replaces of a right mock. */
export interface Fault<M extends Wired> {
  /** How it is listed: letters and digits. A built-in one is listed by its key. */
  readonly name?: string;
  /** What an implementation that has this bug does, in one sentence. */
  readonly description: string;
  /** Configured wrongly: a lifetime, a limit, a list. */
  readonly config?: (right: M['config']) => M['config'];
  /** Decided wrongly: a cell of the matrix, a check of an ordered list, a match. */
  readonly decisions?: (right: M['decisions']) => M['decisions'];
  /** Done wrongly: a part wrapped, never rebuilt, since faults switch while sessions and keys live. */
  readonly parts?: (right: M) => Partial<Omit<M, 'config' | 'decisions'>>;
  /** What leaves in place of the right answer. */
  readonly answers?: Tamper;
}
