import { CLIENT_RULES } from './client-rules.ts';
import { DOCUMENT_RULES } from './document-rules.ts';
import { REGISTRATION_RULES } from './registration-rules.ts';
import { REQUIRED_RULES } from './required-rules.ts';
import type { Rule, Severity } from './rule.ts';
import { SERVING_RULES } from './serving-rules.ts';

/** Every rule, by what it is about; what agents stumble over comes before what is required alone. */
export const RULE_GROUPS = {
  'How the documents are served': SERVING_RULES,
  'What stands in them': DOCUMENT_RULES,
  'How agents register': REGISTRATION_RULES,
  'What has to stand in them': REQUIRED_RULES,
  'How clients describe themselves': CLIENT_RULES,
} as const;

type OneOf<Group> = Group extends unknown ? keyof Group : never;
export type RuleId = OneOf<(typeof RULE_GROUPS)[keyof typeof RULE_GROUPS]>;

/** What each rule says, and where documents break it: one table for the agent, `discover`, `doctor` and `lint`. */
export const RULES: Readonly<Record<RuleId, Rule>> = {
  ...SERVING_RULES,
  ...DOCUMENT_RULES,
  ...REGISTRATION_RULES,
  ...REQUIRED_RULES,
  ...CLIENT_RULES,
};

/** How bad it is to break a rule; `isOldest`: in documents of v0.1. */
export function severityOf(rule: RuleId, isOldest = false): Severity {
  const { severity = 'error', severityElsewhere = severity } = RULES[rule];
  return isOldest ? severityElsewhere : severity;
}

/** The standard that a rule is of, in a document of this kind. */
export function sourceOf(rule: RuleId, isResource = false): string {
  const { source = 'specification, Discovery metadata', sourceInResource = source } = RULES[rule];
  return isResource ? sourceInResource : source;
}
