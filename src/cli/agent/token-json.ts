import type { AccessToken } from '../../agent/model.ts';
import type { Context } from '../shell/context.ts';
import { endJson } from '../terminal/time.ts';

/** A token of `issuer` for programs, without the token. */
export function tokenJson({ clocks }: Context, issuer: string, token: Omit<AccessToken, 'value'>) {
  return {
    scopes: token.scopes,
    ...endJson('expires_at', token.expiresAt, clocks.now(issuer)),
    ...tokenMembers(token),
  };
}

/** What else a service says of a token, for programs. */
export function tokenMembers(token: Pick<AccessToken, 'direct' | 'header' | 'loginUrl'> | null) {
  return {
    // Given by the registration itself, an API key for one: no exchange makes another.
    direct: token?.direct === true,
    header: token?.header ?? null,
    login_url: token?.loginUrl ?? null,
  };
}
