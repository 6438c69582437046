import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { ProviderConfig } from '../config/config.ts';
import { subjectForClient, userClaims } from '../users/user-claims.ts';
import type { User } from '../users/user-store.ts';
import type { JwtContent } from './jwt-content.ts';

interface NewIdToken {
  readonly config: ProviderConfig;
  readonly user: User;
  /** When the user signed in, in milliseconds. */
  readonly authTime: number;
  readonly now: number;
  readonly jti: string;
  /** Who it is for. */
  readonly clientId: string;
  readonly nonce?: string | undefined;
}

/** What an ID token says (OpenID Connect Core §2). */
export function idTokenOf({
  authTime,
  clientId,
  config,
  jti,
  nonce,
  now,
  user,
}: NewIdToken): JwtContent {
  const { issuer, lifetimes } = config;
  const iat = Math.floor(now / SECOND);
  return {
    typ: JWT_TYPE.idToken,
    claims: {
      iss: issuer,
      sub: subjectForClient(config, user.email, clientId),
      aud: clientId,
      jti,
      iat,
      exp: iat + Math.ceil(lifetimes.idToken / SECOND),
      auth_time: Math.floor(authTime / SECOND),
      ...(nonce !== undefined && { nonce }),
      ...userClaims(user),
    },
  };
}
