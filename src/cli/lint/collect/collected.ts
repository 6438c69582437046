import type { LintDocument } from '../lint-document.ts';

/** A place that was looked at. */
export interface Looked {
  /** A path below the folder, or a URL. */
  readonly name: string;
  /** Of HTTP; `undefined` for a file, and for a request without an answer. */
  readonly status: number | undefined;
  /** A few words on what came. */
  readonly learnt: string;
}

export interface Collected {
  readonly documents: readonly LintDocument[];
  readonly looked: readonly Looked[];
}
