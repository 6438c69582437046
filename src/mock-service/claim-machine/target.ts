import { covers, withoutFinalSlash } from '../../protocol/urls.ts';
import type { Refusal, Target } from './events.ts';

type GrantedTarget =
  | { readonly kind: 'granted'; readonly scopes: readonly string[]; readonly resource: string }
  | Refusal<'token'>;

/**
 * What a token is valid for: the registration's scopes, which a request can only narrow, at the
 * resource asked for, which must lie within what the registration is bound to (RFC 8707 §2.2): the resources of its
 * ID-JAG, separated by spaces, the first of which is meant where none is asked for.
 */
export function grantTarget(
  scopes: readonly string[],
  boundTo: string | undefined,
  target: Target,
): GrantedTarget {
  const limits = (boundTo ?? target.base).split(' ');
  const [first = target.base] = limits;
  const resource = target.resource === undefined ? first : withoutFinalSlash(target.resource);
  if (!limits.some((limit) => resource === limit || covers(limit, resource))) {
    return { kind: 'refused', surface: 'token', code: 'invalid_target' };
  }
  const asked = target.scopes ?? scopes;
  if (!asked.every((scope) => scopes.includes(scope))) {
    return { kind: 'refused', surface: 'token', code: 'invalid_scope' };
  }
  return { kind: 'granted', scopes: scopes.filter((scope) => asked.includes(scope)), resource };
}
