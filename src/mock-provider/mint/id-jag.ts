import { HOUR, JWT_TYPE, SECOND } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { tamper, userClaims } from '../id-tokens.ts';
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
  const { email: _, email_verified: __, ...nameless } = userClaims(user);
  const signed = await keys.sign(type, {
    iss: faults.has('idJagIssuerForeign') ? 'https://other.example' : config.issuer,
    sub: namedAs(),
    aud: faults.has('wrongAudience') ? 'https://other.example' : audience,
    client_id: faults.has('idJagClientForeign') ? 'another-client' : clientIdAddress(config),
    jti: faults.has('reusedJti') ? 'jag_0' : randomToken(random, 'jag_'),
    ...(!faults.has('idJagUndated') && { iat }),
    exp: iat + expiresIn,
    ...(!faults.has('missingAuthTime') && {
      auth_time: faults.has('authTimeOfMint') ? iat : authTime,
    }),
    ...(faults.has('idJagNameless') ? nameless : userClaims(user)),
    ...(faults.has('unverifiedEmail') && { email_verified: false }),
    ...(faults.has('idJagMethodsText') && { amr: 'pwd' }),
    ...(resource !== undefined && !faults.has('idJagResourceMissing') && { resource }),
    ...(scopes !== undefined && { scope: scopeClaim(scopes) }),
  });
  return { idJag: faults.has('idJagTampered') ? tamper(signed) : signed, expiresIn };

  function namedAs(): string {
    if (faults.has('subjectShared')) return 'usr_0';
    const subject = subjectOf(config.issuer, user.email);
    return faults.has('subjectPerSession') ? `${subject}_${randomToken(random, '')}` : subject;
  }

  function scopeClaim(granted: readonly string[]): string {
    if (faults.has('idJagScopeWidened')) return [...granted, 'admin'].join(' ');
    return (faults.has('idJagScopeUnsaid') ? granted.slice(0, 1) : granted).join(' ');
  }
}
