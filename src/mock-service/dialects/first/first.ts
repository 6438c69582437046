import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../mock/http/envelopes.ts';
import type { Envelope } from '../../../mock/http/request.ts';
import { json, WireProblem } from '../../../mock/http/response.ts';
import {
  ID_JAG_TOKEN_TYPE,
  type IdentityType,
  revokedEventType,
} from '../../../protocol/constants.ts';
import { instant } from '../../../protocol/instant.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { wireText } from '../../../protocol/text.ts';
import { widenCredentials } from '../../claim-machine/machine.ts';
import { randomCodes } from '../../claim-secrets/attempt-secrets.ts';
import { PATHS } from '../../config/paths.ts';
import type {
  ClaimWire,
  DirectCredential,
  MetadataConfig,
  ProblemWire,
  RedemptionWire,
  Registered,
  ServerMembers,
  ServiceDialect,
  Speaker,
  ToBeClaimed,
} from '../dialect.ts';
import { codeMail } from '../parts/code-mail.ts';
import {
  CREDENTIAL_TYPE,
  EMAIL_ASSERTION,
  readClaimStart,
  readRedemption,
  readRegistration,
} from './requests.ts';
import { firstSkill } from './skill.ts';

/**
 * The members of v0.1: no token endpoint and no grants, since a registration is its credential. An email is a kind
 * of assertion there, so that `service_auth` is none of the types.
 */
function firstMetadata(config: MetadataConfig): ServerMembers {
  const { eventBase, identityTypes, issuer } = config;
  const takes = {
    anonymous: identityTypes.includes('anonymous'),
    email: identityTypes.includes('service_auth'),
    idJag: identityTypes.includes('identity_assertion'),
  };
  const byAssertion = takes.email || takes.idJag;
  const credentials = { credential_types_supported: [CREDENTIAL_TYPE] };
  return {
    issuer,
    // Required by RFC 8414 §2 although there is no authorization endpoint.
    response_types_supported: [],
    agent_auth: {
      skill: issuer + PATHS.skill,
      register_uri: issuer + PATHS.identity,
      claim_uri: issuer + PATHS.claim,
      revocation_uri: issuer + PATHS.events,
      identity_types_supported: [
        ...(takes.anonymous ? ['anonymous'] : []),
        ...(byAssertion ? ['identity_assertion'] : []),
      ],
      ...(takes.anonymous && { anonymous: credentials }),
      ...(byAssertion && {
        identity_assertion: {
          assertion_types_supported: [
            ...(takes.idJag ? [ID_JAG_TOKEN_TYPE] : []),
            ...(takes.email ? [EMAIL_ASSERTION] : []),
          ],
          ...credentials,
        },
      }),
      events_supported: [revokedEventType(eventBase)],
    },
  };
}

/** What v0.1 calls a problem, and its status there, where that differs. */
const CODES: Readonly<Record<string, readonly [code: string, status: number]>> = {
  'identity service_auth_not_enabled': ['verified_email_not_enabled', 400],
  'identity invalid_login_hint': ['invalid_request', 400],
  'read_back claim_not_started': ['otp_not_generated', 400],
  'read_back invalid_user_code': ['otp_invalid', 401],
  'read_back claim_attempt_expired': ['otp_expired', 410],
  'read_back already_claimed': ['previously_claimed', 409],
};

/**
 * `error` and `message`; the two 401s of a sign-in that is not enough have `error_description` instead. A 401 has
 * the challenge of the later versions: RFC 9110 §15.5.2 asks for one, and v0.1 names none.
 */
const envelope: Envelope = async (problem, request) => {
  const { code, description, headers: own, members, status, surface } = problem;
  const [error, answered] = CODES[`${surface} ${code}`] ?? [code, status];
  // The challenge names the code that the body has.
  const spelled = { surface, description, members, headers: own, code: error, status: answered };
  const { headers } = await registrationEnvelope(new WireProblem(spelled), request);
  const text = wireText(description);
  const isSignIn = error === 'interaction_required' || error === 'login_required';
  return json(
    { error, ...(isSignIn ? { error_description: text } : { message: text }), ...members },
    { status: answered, headers: Object.fromEntries(headers) },
  );
};

const FIRST_PROBLEMS: ProblemWire = {
  registration: envelope,
  oauth: oauthEnvelope,
  event: eventEnvelope,
};

/** How v0.1 calls the ways to register. */
const TYPES: Readonly<Record<IdentityType, string>> = {
  anonymous: 'anonymous',
  service_auth: 'email-verification',
  identity_assertion: 'agent-provider',
};

/** What a registration is answered with: where no user has to claim it first, with its credential. */
function registered(made: Registered, speaker: Speaker): Response {
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
function confirmationMembers(made: ToBeClaimed, speaker: Speaker): JsonObject {
  return {
    ...identity(made),
    ...claimMembers(made, speaker),
    post_claim_scopes: made.facts.postClaimScopes,
  };
}

/** What the start of a claim is answered with; the code is in the mail. */
const claimStarted: ClaimWire['write'] = ({ attempt, facts }) =>
  json({
    registration_id: facts.id,
    claim_attempt_id: attempt.stored.id,
    status: 'initiated',
    expires_at: instant(attempt.expiresAt),
  });

/** `POST` at `claim_uri` + `/complete`: the code from the mail. Who has a key already gets no other. */
const REDEMPTION: RedemptionWire = {
  read: readRedemption,
  write: ({ direct, facts }) =>
    json({ registration_id: facts.id, status: 'claimed', ...credentialMembers(direct) }),
  withRefreshToken: false,
  redelivers: false,
  isMailed: true,
  givesCredential: true,
};

/** A key that no time ends has `credential_expires: null`. */
function credentialMembers(credential: DirectCredential | undefined): JsonObject {
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

/**
 * v0.1: a registration answers with an API key, a claim is completed with a code that its user reads in a mail, and
 * the key then reaches further. There is no token endpoint.
 */
export const FIRST: ServiceDialect = {
  registration: { read: readRegistration, write: registered, confirmation: confirmationMembers },
  claim: { read: readClaimStart, write: claimStarted },
  direct: { prefix: 'sk_test_', isEndless: true },
  afterClaim: widenCredentials,
  linkExisting: 'silent',
  codeMail,
  claimGrant: undefined,
  problems: FIRST_PROBLEMS,
  metadata: firstMetadata,
  codes: randomCodes,
  approval: 'submit',
  givesForCode: true,
  routes: ({ mailed, readBack, receiveEvent, register, startClaim }) => ({
    api: [register, startClaim, readBack.redeem(REDEMPTION), receiveEvent],
    claimPages: [mailed.page, mailed.deny],
  }),
  skill: firstSkill,
};
