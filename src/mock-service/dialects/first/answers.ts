import { json } from '../../../mock/http/replies.ts';
import type { IdentityType } from '../../../protocol/constants.ts';
import { instant } from '../../../protocol/instant.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { PATHS } from '../../config/paths.ts';
import type {
  ClaimWire,
  DirectCredential,
  RedemptionWire,
  Registered,
  Speaker,
  ToBeClaimed,
} from '../dialect.ts';
import { CREDENTIAL_TYPE, readRedemption } from './requests.ts';

/** How v0.1 calls the ways to register. */
const TYPES: Readonly<Record<IdentityType, string>> = {
  anonymous: 'anonymous',
  service_auth: 'email-verification',
  identity_assertion: 'agent-provider',
};

/** What a registration is answered with: where no user has to claim it first, with its credential. */
export function registered(made: Registered, speaker: Speaker): Response {
  const { facts } = made;
  switch (made.kind) {
    case 'anonymous':
      return json({
        ...identity(made),
        ...credentialMembers(made.direct),
        ...claimMembers(made, speaker),
        post_claim_scopes: facts.postClaimScopes,
      });
    case 'to_be_claimed':
      return json(confirmationMembers(made, speaker));
    case 'established':
      return json({ ...identity(made), ...credentialMembers(made.direct) });
  }
}

/** A registration whose code is in the mail already. */
export function confirmationMembers(made: ToBeClaimed, speaker: Speaker): JsonObject {
  return {
    ...identity(made),
    ...claimMembers(made, speaker),
    post_claim_scopes: made.facts.postClaimScopes,
  };
}

/** What the start of a claim is answered with; the code is in the mail. */
export const claimStarted: ClaimWire['write'] = ({ attempt, facts }) =>
  json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(attempt.expiresAt),
  });

/** `POST` at `claim_uri` + `/complete`: the code from the mail. Who has a key already gets no other. */
export const REDEMPTION: RedemptionWire = {
  read: readRedemption,
  write: ({ direct, facts }) =>
    json({ registration_id: facts.id, status: 'claimed', ...credentialMembers(direct) }),
  withRefreshToken: false,
  redelivers: false,
  isMailed: true,
  givesCredential: true,
};

/** A key that no time ends has `credential_expires: null`. */
export function credentialMembers(credential: DirectCredential | undefined): JsonObject {
  if (credential === undefined) return {};
  const { expiresAt, scopes, value } = credential;
  return {
    credential_type: CREDENTIAL_TYPE,
    credential: value,
    credential_expires: expiresAt === undefined ? null : instant(expiresAt),
    scopes,
  };
}

function identity({ facts }: Pick<Registered, 'facts'>): JsonObject {
  return { registration_id: facts.id, registration_type: TYPES[facts.type] };
}

function claimMembers(
  { claimToken, facts }: Pick<ToBeClaimed, 'claimToken' | 'facts'>,
  { issuer }: Speaker,
): JsonObject {
  return {
    claim_url: issuer + PATHS.claim,
    claim_token: claimToken,
    claim_token_expires: instant(facts.windowEndsAt),
  };
}
