import { CLIENT_AUTH_METHODS } from '../../../mock/clients/client.ts';
import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../mock/http/envelopes.ts';
import { json } from '../../../mock/http/response.ts';
import { ACCEPTED_ALGORITHMS } from '../../../protocol/constants.ts';
import { SECOND } from '../../../protocol/durations.ts';
import { instant } from '../../../protocol/instant.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { ClaimBlock } from '../../../protocol/schemas/registration.ts';
import { claimLink, randomCodes } from '../../claim-secrets/attempt-secrets.ts';
import { claimGrantTypes } from '../../config/config.ts';
import { PATHS } from '../../config/paths.ts';
import type {
  ClaimWire,
  MetadataConfig,
  OpenedAttempt,
  Registered,
  ServiceDialect,
  SignedAssertion,
  Speaker,
  ToBeClaimed,
} from '../dialect.ts';
import { serverMetadata } from '../parts/server-metadata.ts';
import { readClaimStart, readRegistration } from './requests.ts';
import { skillFile } from './skill.ts';

/** What a registration is answered with (wire contract §3). */
function registered(made: Registered, speaker: Speaker): Response {
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
function confirmationMembers(
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
const claimStarted: ClaimWire['write'] = ({ attempt, facts }, { issuer, now }) =>
  json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(attempt.expiresAt),
    claim_attempt: claimBlock(issuer, attempt, now),
  });

function deliveryMembers({ expiresAt, jwt }: SignedAssertion): JsonObject {
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

/**
 * Members of the server's metadata that clients of cross-app access read
 * (draft-ietf-oauth-identity-assertion-authz-grant §7.2). MCP clients refuse a document without
 * `authorization_endpoint`, `response_types_supported` and the methods of PKCE, although there is no sign-in by
 * browser here: the endpoint says so.
 */
function crossAppMembers({ clients, issuer, redeemsIdJags }: MetadataConfig): JsonObject {
  if (!redeemsIdJags) return {};
  const taken = new Set(clients.flatMap((client) => client.methods));
  const methods = CLIENT_AUTH_METHODS.filter(
    // Registrations authenticate by nothing.
    (method) => method === 'none' || clients.length === 0 || taken.has(method),
  );
  return {
    authorization_endpoint: issuer + PATHS.authorize,
    introspection_endpoint: issuer + PATHS.introspection,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    ...((clients.length === 0 || clients.some(({ byDocument }) => byDocument)) && {
      client_id_metadata_document_supported: true,
    }),
    ...(methods.includes('private_key_jwt') && {
      token_endpoint_auth_signing_alg_values_supported: ACCEPTED_ALGORITHMS,
    }),
  };
}

/**
 * The wire contract's own: one level of members, the service's assertion, a code that the agent shows and its
 * user types, and a claim grant that the agent polls.
 */
export const FLAT: ServiceDialect = {
  registration: { read: readRegistration, write: registered, confirmation: confirmationMembers },
  claim: { read: readClaimStart, write: claimStarted },
  claimGrant: { types: claimGrantTypes, members: deliveryMembers },
  problems: {
    registration: registrationEnvelope,
    oauth: oauthEnvelope,
    event: eventEnvelope,
  },
  redeemsIdJags: true,
  codes: randomCodes,
  approval: 'submit',
  metadata: (config) => serverMetadata(config, claimGrantTypes(config), crossAppMembers(config)),
  routes: ({ receiveEvent, register, revoke, startClaim, token, typeThere }) => ({
    api: [register, startClaim, token, revoke, receiveEvent],
    claimPages: [typeThere.page, typeThere.complete],
  }),
  skill: skillFile,
};
