import type { JsonObject } from '../../protocol/json.ts';
import type { ProviderConfig } from '../config/config.ts';
import { sectorOfClient } from './sector.ts';
import { subjectOf, type User } from './user-store.ts';

interface UserInfoFacts {
  readonly config: ProviderConfig;
  readonly user: User;
  /** Whose sign-in it is of. */
  readonly clientId: string;
  /** Of the sign-in. */
  readonly scopes: readonly string[];
}

/** What is said of a user: `sub` is that of the ID token, the rest goes by scope (OpenID Connect Core §5.3.2, §5.4). */
export function userInfoOf({ clientId, config, scopes, user }: UserInfoFacts): JsonObject {
  const { email, emailVerified, name, phone } = user;
  return {
    sub: subjectOf(config, email, sectorOfClient(config.clients, clientId)),
    ...(scopes.includes('profile') && name !== undefined && { name }),
    ...(scopes.includes('email') && { email, email_verified: emailVerified }),
    ...(scopes.includes('phone') &&
      phone !== undefined && { phone_number: phone, phone_number_verified: true }),
  };
}
