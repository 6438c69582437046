import { ID_JAG_TOKEN_TYPE, JWT_BEARER_GRANT } from '../../../protocol/index.ts';
import type { Answer } from '../../http/answer.ts';
import { readCeremony } from '../../http/read-ceremony.ts';
import { readMembers } from '../../http/read-members.ts';
import { readBearerToken } from '../../http/read-token.ts';
import { formRequest, jsonRequest } from '../../http/wire-requests.ts';
import { readProblem } from '../../problems/read-problem.ts';
import type { ClaimGrant, Dialect, IdentityProof } from '../dialect.ts';
import { claimedAnswer, claimPollAnswer, claimStartAnswer, exchangeAnswer } from './answers.ts';
import { claimBodies } from './claim-body.ts';
import { decodeAssertion, decodeInteraction, decodeRegistration } from './decode-registration.ts';
import { endBeside } from './end-beside.ts';

const CLAIM_ENDPOINT = 'The claim endpoint';
const TOKEN_ENDPOINT = 'The token endpoint';

/** A claim that is complete: an assertion, a token, or nothing where what the registration has reaches further. */
function decodeClaimed(answer: Answer, who: string, now: number): ClaimGrant {
  const members = readMembers(answer, who, claimedAnswer);
  const { identity_assertion, access_token } = members;
  const given = access_token === undefined ? undefined : { ...members, access_token };
  return {
    assertion:
      identity_assertion === undefined
        ? null
        : decodeAssertion(answer, who, { ...members, identity_assertion }, now),
    ...(given === undefined
      ? { token: null, warnings: [] }
      : readBearerToken(answer, who, given, now)),
  };
}

/** The wire contract's own dialect: the specification, and that contract where it is silent. */
export const flat = {
  id: 'flat',

  // A strict service refuses what it does not know: without a name there is no member for one.
  encodeIdentity: (service, proof, name) =>
    jsonRequest(service.identityEndpoint, {
      ...identityBody(proof),
      ...(name !== undefined && { client_name: name }),
    }),
  decodeRegistration,
  decodeInteraction,

  encodeClaimStart: claimBodies,
  decodeClaimStart: (answer, now) => {
    // An ID-JAG claims without a code (version 0.7).
    if (answer.body.ok && answer.body.json['status'] === 'claimed') {
      return { kind: 'claimed', grant: decodeClaimed(answer, CLAIM_ENDPOINT, now) };
    }
    const members = readMembers(answer, CLAIM_ENDPOINT, claimStartAnswer);
    const { claim_attempt: block, expires_at: end } = members;
    const time = endBeside(answer, 'claim_attempt') ?? end;
    const ceremony = readCeremony(answer, CLAIM_ENDPOINT, block, now, time);
    return { kind: 'attempt', attempt: { kind: 'type_there', ...ceremony, ended: null } };
  },

  encodeClaimPoll: (tokenEndpoint, claimGrantType, claimToken) =>
    formRequest(tokenEndpoint, {
      grant_type: claimGrantType,
      claim_token: claimToken.reveal(),
    }),
  decodeClaimPoll: (answer, now) => {
    const members = readMembers(answer, TOKEN_ENDPOINT, claimPollAnswer);
    return {
      ...readBearerToken(answer, TOKEN_ENDPOINT, members, now),
      assertion: decodeAssertion(answer, TOKEN_ENDPOINT, members, now),
    };
  },

  // `resource` binds the token to the one place where it is used (RFC 8707 §2): a resource that names
  // another service's authorization server gets no token of that server's.
  encodeExchange: (tokenEndpoint, resource, assertion) =>
    formRequest(tokenEndpoint, {
      grant_type: JWT_BEARER_GRANT,
      assertion: assertion.reveal(),
      resource,
    }),
  decodeExchange: (answer, now) =>
    readBearerToken(
      answer,
      TOKEN_ENDPOINT,
      readMembers(answer, TOKEN_ENDPOINT, exchangeAnswer),
      now,
    ),

  encodeRevoke: (url, token) =>
    formRequest(url, { token: token.reveal(), token_type_hint: 'access_token' }),

  readProblem,
} satisfies Dialect;

function identityBody(proof: IdentityProof): Readonly<Record<string, string>> {
  switch (proof.type) {
    case 'anonymous':
      return { type: 'anonymous' };
    case 'service_auth':
      return { type: 'service_auth', login_hint: proof.loginHint };
    case 'identity_assertion':
      return {
        type: 'identity_assertion',
        assertion_type: ID_JAG_TOKEN_TYPE,
        assertion: proof.assertion.reveal(),
      };
  }
}
