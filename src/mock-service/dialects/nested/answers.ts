import { json } from '../../../mock/http/response.ts';
import { instant } from '../../../protocol/instant.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { RegistrationFacts } from '../../claim-machine/facts.ts';
import { claimLink } from '../../claim-secrets/attempt-secrets.ts';
import { PATHS } from '../../config/paths.ts';
import type {
  ClaimWire,
  IssuedRefreshToken,
  OpenedAttempt,
  RedemptionWire,
  RefreshRequest,
  Registered,
  SignedAssertion,
  Speaker,
  ToBeClaimed,
} from '../dialect.ts';

/** What a registration is answered with. */
export function registered(made: Registered, speaker: Speaker): Response {
  const { facts } = made;
  switch (made.kind) {
    case 'anonymous':
      return json({
        id: facts.id,
        type: facts.type,
        identity: identity(made.assertion),
        claim: claim(facts, made.claimToken, speaker),
        scopes: { pre_claim: facts.preClaimScopes, post_claim: facts.postClaimScopes },
      });
    case 'to_be_claimed':
      return json(confirmationMembers(made, speaker));
    case 'established':
      return json({
        id: facts.id,
        type: facts.type,
        identity: identity(made.assertion),
        // A list where nobody has to claim anything.
        scopes: facts.postClaimScopes,
      });
  }
}

/** A registration with the claim that is open for it. No code: the page shows it. */
export function confirmationMembers(
  { attempt, claimToken, facts }: ToBeClaimed,
  speaker: Speaker,
): JsonObject {
  return {
    id: facts.id,
    type: facts.type,
    scopes: { post_claim: facts.postClaimScopes },
    claim: {
      ...claim(facts, claimToken, speaker),
      attempt: openAttempt(attempt, speaker),
    },
  };
}

/** What the start of a claim is answered with. */
export const claimStarted: ClaimWire['write'] = ({ attempt, facts }, speaker) =>
  json({ id: facts.id, type: 'service_auth', attempt: openAttempt(attempt, speaker) });

/** What a code that was handed in is answered with, once. */
export const redeemed: RedemptionWire['write'] = ({ assertion, facts, refreshToken }) =>
  json({ id: facts.id, status: 'claimed', identity: identity(assertion, refreshToken) });

/** What a refresh token is answered with. */
export const refreshed: RefreshRequest['write'] = ({ assertion, facts, refreshToken }) =>
  json({
    id: facts.id,
    type: 'refresh',
    identity: identity(assertion, refreshToken),
    scopes: facts.postClaimScopes,
  });

function identity(
  { expiresAt, jwt }: SignedAssertion,
  refreshToken?: IssuedRefreshToken,
): JsonObject {
  return {
    assertion: jwt,
    expires_at: instant(expiresAt),
    ...(refreshToken && {
      refresh_token: { value: refreshToken.token, expires_at: instant(refreshToken.expiresAt) },
    }),
  };
}

function claim(facts: RegistrationFacts, token: string, { issuer }: Speaker): JsonObject {
  return { token, expires_at: instant(facts.windowEndsAt), url: issuer + PATHS.claim };
}

function openAttempt({ expiresAt, token }: OpenedAttempt, { issuer }: Speaker): JsonObject {
  return { verification_uri: claimLink(issuer, token), expires_at: instant(expiresAt) };
}
