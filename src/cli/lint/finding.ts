import type { MemberPath } from '../../discovery/document.ts';
import type { Severity } from '../../discovery/rules/rule.ts';
import type { RuleId } from '../../discovery/rules/rule-table.ts';

/** Something in a document, or about how it is served, that its publisher should know. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** The name of the document; `undefined` for what is about none that was found. */
  readonly document: string | undefined;
  readonly path: MemberPath;
  /** What is wrong. */
  readonly message: string;
  /** What to write, or to do, instead. */
  readonly instead: string | undefined;
}

/** Adds a finding. */
export type Report = (
  finding: Omit<Finding, 'severity' | 'instead' | 'path'> & {
    readonly path?: MemberPath;
    readonly instead?: string | undefined;
  },
) => void;
