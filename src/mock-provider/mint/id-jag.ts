import { HOUR, JWT_TYPE, SECOND } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { userClaims } from '../id-tokens.ts';
import { clientIdAddress } from '../metadata.ts';
import type { ProviderContext } from '../provider-context.ts';
import { subjectOf, type User } from '../store/user-store.ts';
import type { Scopes } from './scopes.ts';

export interface IdJagContent {
  readonly user: User;
  readonly audience: string;
  readonly resource: string | undefined;
  readonly scopes: Scopes;
  /** In seconds, as the session has it. */
  readonly authTime: number;
  /** In milliseconds: when it was decided. A revocation after that is never older than the ID-JAG. */
  readonly decidedAt: number;
}

/** Signs an ID-JAG (wire.md §3; draft-ietf-oauth-identity-assertion-authz-grant §3.1). */
export async function signIdJag(
  { config, faults, keys, random }: ProviderContext,
  { user, audience, resource, scopes, authTime, decidedAt }: IdJagContent,
): Promise<{ readonly idJag: string; readonly expiresIn: number }> {
  const iat = Math.floor(decidedAt / SECOND);
  const lifetime = faults.has('longLived') ? 2 * HOUR : config.lifetimes.idJag;
  const expiresIn = Math.ceil(lifetime / SECOND);
  const type = faults.has('wrongType') ? 'JWT' : JWT_TYPE.idJag;
  const idJag = await keys.sign(type, {
    iss: config.issuer,
    sub: subjectOf(config.issuer, user.email),
    aud: faults.has('wrongAudience') ? 'https://other.example' : audience,
    client_id: clientIdAddress(config),
    jti: faults.has('reusedJti') ? 'jag_0' : randomToken(random, 'jag_'),
    iat,
    exp: iat + expiresIn,
    ...(!faults.has('missingAuthTime') && { auth_time: authTime }),
    ...userClaims(user),
    ...(faults.has('unverifiedEmail') && { email_verified: false }),
    ...(resource !== undefined && { resource }),
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  });
  return { idJag, expiresIn };
}
