/** Scopes; `undefined`: whatever the service grants. */
export type Scopes = readonly string[] | undefined;

/** What both allow, in the order of the first. */
export function narrow(scopes: Scopes, limit: Scopes): Scopes {
  if (scopes === undefined || limit === undefined) return scopes ?? limit;
  return scopes.filter((scope) => limit.includes(scope));
}

/** What either allows. */
export function union(scopes: Scopes, others: Scopes): Scopes {
  if (scopes === undefined || others === undefined) return undefined;
  return [...new Set([...scopes, ...others])];
}

/** Words of a `scope` parameter, each once; `undefined` when one has a forbidden character (RFC 6749 §3.3). */
export function parseScope(scope: string): readonly string[] | undefined {
  const words = scope.split(' ').filter(Boolean);
  const good = words.length > 0 && words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word));
  return good ? [...new Set(words)] : undefined;
}

/** What a sign-in can ask for; a device authorization that names an audience may add the audience's. */
export const SIGN_IN_SCOPES = ['openid', 'email', 'profile', 'phone'] as const;
