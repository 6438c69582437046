import { DOCUMENT_RULES } from './document-rules.ts';
import { REGISTRATION_RULES } from './registration-rules.ts';
import { REQUIRED_RULES } from './required-rules.ts';
import type { Rule } from './rule.ts';
import { SERVING_RULES } from './serving-rules.ts';

/** Every rule, by what it is about. */
export const RULE_GROUPS = {
  'How the documents are served': SERVING_RULES,
  'What stands in them': DOCUMENT_RULES,
  'What has to stand in them': REQUIRED_RULES,
  'How agents register': REGISTRATION_RULES,
} as const;

type OneOf<Group> = Group extends unknown ? keyof Group : never;
export type RuleId = OneOf<(typeof RULE_GROUPS)[keyof typeof RULE_GROUPS]>;

/** What each rule says: one table for the agent, `discover`, `doctor` and `lint`. */
export const RULES: Readonly<Record<RuleId, Rule>> = {
  ...SERVING_RULES,
  ...DOCUMENT_RULES,
  ...REQUIRED_RULES,
  ...REGISTRATION_RULES,
};

/** The standard that a rule is of, in a document of this kind. */
export function sourceOf(rule: RuleId, isResource: boolean): string {
  const { source, sourceInResource } = RULES[rule];
  return isResource ? (sourceInResource ?? source) : source;
}
