import type { LintDocument } from '../document.ts';
import type { Report } from '../finding.ts';
import type { Visitor } from './visitor.ts';

/** What looks for documents, and what was found so far. */
export interface Search {
  readonly visitor: Visitor;
  readonly report: Report;
  /** The URL that the documents are about. */
  readonly service: string;
  readonly documents: LintDocument[];
}
