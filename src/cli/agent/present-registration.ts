import type { AccessToken, Registration } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import type { Context } from '../shell/context.ts';
import type { JsonData } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';

/** A registration for programs: facts alone, no secret. */
export function registrationJson({ clocks }: Context, registration: Registration): JsonData {
  const now = clocks.now(registration.issuer);
  return {
    registration_id: registration.id,
    registration_type: registration.type,
    issuer: registration.issuer,
    resource: registration.resource,
    email: userOf(registration),
    provider: registration.provider,
    claimed: registration.claimed,
    ...endJson('assertion_expires', registration.assertion?.expiresAt, now),
    ...endJson('claim_token_expires', registration.claim?.expiresAt, now),
    pre_claim_scopes: registration.preClaimScopes,
    post_claim_scopes: registration.postClaimScopes,
  };
}

/** What may be done, for people: nobody said is not the same as nothing. */
export function scopesText(scopes: readonly string[] | null, none = 'nothing yet'): string {
  return scopes === null ? 'not said' : scopes.join(' ') || none;
}

/** A token of `issuer` for programs, without the token. */
export function tokenJson(
  { clocks }: Context,
  issuer: string,
  token: Pick<AccessToken, 'scopes' | 'expiresAt'>,
): JsonData {
  return { scopes: token.scopes, ...endJson('expires_at', token.expiresAt, clocks.now(issuer)) };
}
