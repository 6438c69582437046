import { json } from '../../../mock/http/replies.ts';
import { SECOND } from '../../../protocol/durations.ts';
import { instant } from '../../../protocol/instant.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { ClaimBlock } from '../../../protocol/schemas/registration.ts';
import { claimLink } from '../../claim-attempt/fresh-attempt.ts';
import { PATHS } from '../../config/paths.ts';
import type {
  ClaimWire,
  OpenedAttempt,
  Registered,
  SignedAssertion,
  Speaker,
  ToBeClaimed,
} from '../dialect.ts';

/** What a registration is answered with (wire contract §3). */
export function registered(made: Registered, speaker: Speaker): Response {
  const { facts } = made;
  switch (made.kind) {
    case 'anonymous':
      return json({
        registration_id: facts.id,
        registration_type: facts.type,
        identity_assertion: made.assertion.jwt,
        assertion_expires: instant(made.assertion.expiresAt),
        pre_claim_scopes: facts.preClaimScopes,
        post_claim_scopes: facts.postClaimScopes,
        claim_url: speaker.issuer + PATHS.claim,
        claim_token: made.claimToken,
        claim_token_expires: instant(facts.windowEndsAt),
      });
    case 'to_be_claimed':
      return json(confirmationMembers(made, speaker));
    case 'established':
      return json({
        registration_id: facts.id,
        registration_type: facts.type,
        identity_assertion: made.assertion.jwt,
        assertion_expires: instant(made.assertion.expiresAt),
        scopes: facts.postClaimScopes,
      });
  }
}

/** A registration with the claim that is open for it. */
export function confirmationMembers(
  { attempt, claimToken, facts }: ToBeClaimed,
  { issuer, now }: Speaker,
): JsonObject {
  return {
    registration_id: facts.id,
    registration_type: facts.type,
    claim_url: issuer + PATHS.claim,
    claim_token: claimToken,
    claim_token_expires: instant(facts.windowEndsAt),
    post_claim_scopes: facts.postClaimScopes,
    claim: claimBlock(issuer, attempt, now),
  };
}

/** What the start of a claim is answered with (wire contract §4). */
export const claimStarted: ClaimWire['write'] = ({ attempt, facts }, { issuer, now }) =>
  json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(attempt.expiresAt),
    claim_attempt: claimBlock(issuer, attempt, now),
  });

export function deliveryMembers({ expiresAt, jwt }: SignedAssertion): JsonObject {
  return { identity_assertion: jwt, assertion_expires: instant(expiresAt) };
}

/** The block from which agent and user learn how to complete an attempt (RFC 8628 §3.2). */
function claimBlock(issuer: string, attempt: OpenedAttempt, now: number): ClaimBlock {
  return {
    user_code: attempt.userCode,
    verification_uri: claimLink(issuer, attempt.token),
    expires_in: Math.ceil((attempt.expiresAt - now) / SECOND),
    interval: Math.ceil(attempt.interval / SECOND),
  };
}
