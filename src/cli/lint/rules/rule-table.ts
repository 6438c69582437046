import { DOCUMENT_RULES } from './document-rules.ts';
import { RECOGNISED_RULES } from './recognised-rules.ts';
import { REQUIRED_RULES } from './required-rules.ts';
import type { Rule } from './rule.ts';
import { SERVING_RULES } from './serving-rules.ts';

/** Every rule, by what it is about. */
export const RULE_GROUPS = {
  'How the documents are served': SERVING_RULES,
  'What stands in them': DOCUMENT_RULES,
  'What has to stand in them': REQUIRED_RULES,
  'How agents register': RECOGNISED_RULES,
} as const;

type OneOf<Group> = Group extends unknown ? keyof Group : never;
export type LintRuleId = OneOf<(typeof RULE_GROUPS)[keyof typeof RULE_GROUPS]>;

/** What each rule says. */
export const LINT_RULES: Readonly<Record<LintRuleId, Rule>> = {
  ...SERVING_RULES,
  ...DOCUMENT_RULES,
  ...REQUIRED_RULES,
  ...RECOGNISED_RULES,
};
