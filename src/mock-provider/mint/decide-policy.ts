import type { CodeAt } from '../../protocol/codes.ts';
import type { PolicyRule } from '../config/rules.ts';
import { narrow, type Scopes } from './scopes.ts';

/** An exchange that somebody asks for. */
export interface PolicyCase {
  readonly user: string;
  readonly groups: readonly string[];
  readonly client: string;
  readonly audience: string;
  readonly resources: readonly string[];
  readonly requested: Scopes;
  /** How long ago the user signed in, in seconds. */
  readonly age: number;
}

export type PolicyDecision =
  | { readonly kind: 'allowed'; readonly scopes: Scopes }
  /** A newer sign-in is granted that. */
  | { readonly kind: 'stale'; readonly maxAge: number }
  | { readonly kind: 'refused'; readonly code: CodeAt<'provider'> };

/**
 * The first rule that fits decides about each resource, and what all of them grant is granted; where none fits, that
 * is all that was asked for.
 */
export function decidePolicy(rules: readonly PolicyRule[], asked: PolicyCase): PolicyDecision {
  const resources = asked.resources.length === 0 ? [undefined] : asked.resources;
  let scopes = asked.requested;
  let maxAge = Number.POSITIVE_INFINITY;
  for (const resource of resources) {
    const rule = rules.find((each) => fits(each, asked, resource));
    if (rule?.refuse !== undefined) return { kind: 'refused', code: rule.refuse };
    scopes = narrow(scopes, rule?.scopes);
    maxAge = Math.min(maxAge, rule?.maxAge ?? maxAge);
  }
  if (scopes?.length === 0) return { kind: 'refused', code: 'invalid_scope' };
  // Asked last: whom nothing helps is not sent to sign in again.
  return asked.age > maxAge ? { kind: 'stale', maxAge } : { kind: 'allowed', scopes };
}

/** @param resource of the request; one that names none could mean any, so that whatever refuses one refuses it. */
function fits(rule: PolicyRule, asked: PolicyCase, resource: string | undefined): boolean {
  const isForResource =
    rule.resource === undefined ||
    (resource === undefined ? rule.refuse !== undefined : rule.resource === resource);
  return (
    (rule.user === undefined || rule.user === asked.user) &&
    (rule.group === undefined || asked.groups.includes(rule.group)) &&
    (rule.client === undefined || rule.client === asked.client) &&
    (rule.audience === undefined || rule.audience === asked.audience) &&
    isForResource
  );
}
