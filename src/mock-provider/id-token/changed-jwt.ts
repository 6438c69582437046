import type { ChangedToken, ClaimRule, JwtChanges } from '../config/rules.ts';
import type { JwtContent } from './jwt-content.ts';

/** Whom a JWT is for. */
interface ForWhom {
  readonly user: string;
  readonly client: string;
  readonly audience?: string;
}

/** The changes of all rules that fit, one after the other. */
export function changedByRules(
  content: JwtContent,
  rules: readonly ClaimRule[],
  of: ChangedToken,
  whom: ForWhom,
): JwtContent {
  return rules
    .filter(
      (rule) =>
        rule.of === of &&
        (rule.user === undefined || rule.user === whom.user) &&
        (rule.client === undefined || rule.client === whom.client) &&
        (rule.audience === undefined || rule.audience === whom.audience),
    )
    .reduce(changed, content);
}

/** The same JWT with the changes. */
export function changed(
  { typ, claims, header }: JwtContent,
  { omit = [], ...changes }: JwtChanges,
): JwtContent {
  const all = { ...claims, ...changes.claims };
  const left = Object.entries(all).filter(([name]) => !omit.includes(name));
  // What is `undefined` is not written: that leaves out what every header has, too.
  const without = Object.fromEntries(omit.map((name) => [name, undefined]));
  return {
    typ,
    claims: Object.fromEntries(left),
    header: { ...header, ...changes.header, ...without },
  };
}
