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

/** The scope that gives refresh tokens (OpenID Connect Core §11). */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * The scopes that the sign-in to a client is for: unknown ones are left out (OpenID Connect Core §3.1.2.1). `undefined`
 * without `openid`: it asks for no sign-in.
 */
export function clientScopes(words: readonly string[]): readonly string[] | undefined {
  if (!words.includes('openid')) return undefined;
  const known: readonly string[] = [...SIGN_IN_SCOPES, OFFLINE_ACCESS];
  return [...new Set(words)].filter((word) => known.includes(word));
}

/** Why a client's sign-in that has none of them is refused. */
export const NO_OPENID = 'The scope has to hold openid.';
