import type { AccessToken, Registration, Service } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import { endJson } from '../terminal/time.ts';

/** A registration for programs: facts alone, no secret. */
export function registrationJson({ clocks }: Context, registration: Registration) {
  const now = clocks.now(registration.issuer);
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    issuer: registration.issuer,
    resource: registration.resource,
    email: userOf(registration),
    provider: registration.provider,
    claimed: registration.claimed,
    dialect: registration.dialect,
    members: registration.members ?? {},
    ...endJson('assertion_expires', registration.assertion?.expiresAt, now),
    ...(registration.refresh && endJson('refresh_expires', registration.refresh.expiresAt, now)),
    ...endJson('claim_token_expires', registration.claim?.expiresAt, now),
    pre_claim_scopes: registration.preClaimScopes,
    post_claim_scopes: registration.postClaimScopes,
  };
}

/** A token of `issuer` for programs, without the token. */
export function tokenJson({ clocks }: Context, issuer: string, token: Omit<AccessToken, 'value'>) {
  return {
    scopes: token.scopes,
    ...endJson('expires_at', token.expiresAt, clocks.now(issuer)),
    // Given by the registration itself, an API key for one: no exchange makes another.
    direct: token.direct === true,
    header: token.header ?? null,
    login_url: token.loginUrl ?? null,
  };
}

/** The registration that was in use before, and the way back to it, for programs. */
export function previousJson(context: Context, previous: Registration | undefined) {
  return previous === undefined
    ? null
    : { registration_id: previous.id, next: nextLine(context, 'use', previous.id) };
}

export function serviceJson({ issuer, resource, name }: Service) {
  return { issuer, resource, name: name ?? null };
}
