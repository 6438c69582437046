import type { Found } from '../find-block.ts';
import type { IdentityTypes } from '../identity-types.ts';
import type { Defect, DocumentName, Endpoints, RuleId } from '../model.ts';
import type { RegisterMember } from '../register-url.ts';

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

export function defect(
  rule: RuleId,
  severity: Defect['severity'],
  [document, member]: Place,
  message: string,
  fix: string,
): Defect {
  return { rule, severity, document, member, message, fix };
}
