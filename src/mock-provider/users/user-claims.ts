import type { JsonObject } from '../../protocol/json.ts';
import type { ProviderConfig } from '../config/config.ts';
import { subjectForClient } from './subject.ts';
import type { User } from './user-store.ts';

/** The claims about a user that an ID token and an ID-JAG share. */
export function userClaims({ email, emailVerified, name, phone, tenant }: User) {
  return {
    email,
    email_verified: emailVerified,
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(tenant !== undefined && { tenant }),
  };
}

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
  const claims: JsonObject = userClaims(user);
  const told = Object.entries(SCOPES).filter(
    ([name, scope]) => scopes.includes(scope) && name in claims,
  );
  const sub = subjectForClient(config, user.email, clientId);
  return { sub, ...Object.fromEntries(told.map(([name]) => [name, claims[name]])) };
}

/** The scope that a claim is told by. */
const SCOPES: Readonly<Record<string, string>> = {
  name: 'profile',
  email: 'email',
  email_verified: 'email',
  phone_number: 'phone',
  phone_number_verified: 'phone',
};
