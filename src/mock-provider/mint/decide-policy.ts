import type { CodeAt } from '../../protocol/codes.ts';
import type { PolicyRule } from '../config/policy-rule.ts';
import { narrow, type Scopes } from './scopes.ts';

/** An exchange that somebody asks for. */
export interface PolicyCase {
  readonly user: string;
  readonly groups: readonly string[];
  readonly client: string;
  readonly audience: string;
  readonly resources: readonly string[];
  readonly requested: Scopes;
}

export type PolicyDecision =
  | { readonly kind: 'allowed'; readonly scopes: Scopes }
  | { readonly kind: 'refused'; readonly code: CodeAt<'provider'> };

/** The first rule that fits decides; where none does, all that was asked for is granted. */
export function decidePolicy(rules: readonly PolicyRule[], asked: PolicyCase): PolicyDecision {
  const rule = rules.find((each) => fits(each, asked));
  if (rule?.refuse !== undefined) return { kind: 'refused', code: rule.refuse };
  const scopes = narrow(asked.requested, rule?.scopes);
  return scopes?.length === 0
    ? { kind: 'refused', code: 'invalid_scope' }
    : { kind: 'allowed', scopes };
}

function fits(rule: PolicyRule, asked: PolicyCase): boolean {
  return (
    (rule.user === undefined || rule.user === asked.user) &&
    (rule.group === undefined || asked.groups.includes(rule.group)) &&
    (rule.client === undefined || rule.client === asked.client) &&
    (rule.audience === undefined || rule.audience === asked.audience) &&
    (rule.resource === undefined || asked.resources.includes(rule.resource))
  );
}
