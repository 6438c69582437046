import { displayText } from '../protocol/index.ts';
import { type MemberPath, pathOf, shownPath } from './document.ts';
import type { Found } from './find-block.ts';
import type { IdentityTypes } from './identity-types.ts';
import type { Defect, DocumentName, Endpoints } from './model.ts';
import type { RegisterMember } from './register-url.ts';
import { RULES, type RuleId } from './rules/rule-table.ts';

/** What was read, for those who look for what is wrong in it. */
export interface Read {
  readonly found: Found;
  readonly at: string | undefined;
  readonly registers: readonly RegisterMember[];
  /** The member that is believed; `undefined` where none can be. */
  readonly chosen: RegisterMember | undefined;
  readonly types: IdentityTypes;
  readonly endpoints: Endpoints;
  readonly wanted: readonly string[];
}

/** The member that a defect is about. */
export type Place = readonly [document: DocumentName, member: string];

/** @param weight `error`: it keeps agents from registering, or leads them astray. */
export function defect(
  rule: RuleId,
  weight: 'error' | 'warning',
  [document, member]: Place,
  message: string,
  fix: string,
): Defect {
  return found(rule, {
    document,
    path: pathOf(member),
    message,
    fix,
    misleads: weight === 'error',
  });
}

/** Adds what a check found. */
export type Report = (finding: {
  readonly rule: RuleId;
  readonly document: DocumentName;
  readonly path?: MemberPath;
  readonly message: string;
  readonly instead?: string | undefined;
}) => void;

export function reporter(defects: Defect[]): Report {
  return ({ rule, path = [], instead: fix, ...finding }) => {
    defects.push(found(rule, { ...finding, path, fix, misleads: false }));
  };
}

function found(
  rule: RuleId,
  finding: Pick<Defect, 'document' | 'path' | 'message' | 'fix' | 'misleads'>,
): Defect {
  const member = displayText(shownPath(finding.path), 300);
  return { rule, severity: RULES[rule].severity, member, ...finding };
}
