import type { UrlPolicy } from '../../../agent/http/url-policy.ts';
import type { Report } from '../finding.ts';
import type { LintDocument } from '../lint-document.ts';
import type { Visitor } from './visitor.ts';

/** What looks for documents, and what was found so far. */
export interface Search {
  readonly policy: UrlPolicy;
  readonly visitor: Visitor;
  readonly report: Report;
  /** The URL that the documents are about. */
  readonly service: string;
  readonly documents: LintDocument[];
}
