import type { JsonObject } from '../../protocol/index.ts';

export type Severity = 'error' | 'warning' | 'note';

/** What the docs, SARIF and the terminal say of a rule. */
export interface Rule {
  /** What it is about: a document, any of them, or how one is served. */
  readonly document: 'server' | 'resource' | 'block' | 'skill' | 'any' | 'answer';
  readonly severity: Severity;
  /** In documents of the oldest family, v0.1, whose members are others; default: as everywhere. */
  readonly severityElsewhere?: Severity;
  /** What holds where the rule is kept. A sentence. */
  readonly holds: string;
  /** Why. One or two sentences. */
  readonly why: string;
  /** A section of a standard, or what is published. */
  readonly source: string;
  /** Of the same, where it is about the metadata of a resource. */
  readonly sourceInResource?: string;
  /** A document, or an exchange, that breaks the rule, and what it looks like mended. */
  readonly before: Example;
  readonly after: Example;
}

/** An excerpt of a document, as JSON; or what no document shows: an answer, a tree of files. */
export type Example = JsonObject | string;
