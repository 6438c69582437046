import { ID_JAG_TOKEN_TYPE, isJsonObject, JWT_BEARER_GRANT } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import { readMembers } from '../../http/read-members.ts';
import { readBearerToken } from '../../http/read-token.ts';
import { formRequest, jsonRequest } from '../../http/wire-requests.ts';
import type { ClaimAttempt } from '../../model.ts';
import type { ClaimGrant, Dialect, IdentityProof, TokenGrant } from '../dialect.ts';
import { completedScopes, renewedToken } from '../parts/claim-answer.ts';
import { claimedAnswer, exchangeAnswer } from './answers.ts';
import { claimBodies } from './claim-body.ts';
import { decodeIdentity, decodeInteraction, decodeRegistration } from './decode-registration.ts';
import { attemptBlock, readAttempt } from './read-attempt.ts';
import { readCollected } from './read-collected.ts';
import { readFlatProblem } from './read-poll-status.ts';

const CLAIM_ENDPOINT = 'The claim endpoint';
const TOKEN_ENDPOINT = 'The token endpoint';

function decodeToken(answer: Answer, now: number): TokenGrant {
  const members = readMembers(answer, TOKEN_ENDPOINT, exchangeAnswer);
  return readBearerToken(answer, TOKEN_ENDPOINT, members, now);
}

/** An attempt; one service writes the members of its block beside the others. */
function decodeStart(answer: Answer, now: number): ClaimAttempt {
  const json = requireJson(answer, CLAIM_ENDPOINT);
  const { claim_attempt, claim, expires_at: end } = json;
  const block = claim_attempt ?? attemptBlock(claim) ?? json;
  const isBlock = isJsonObject(block);
  const attempt = isBlock && readAttempt(answer, CLAIM_ENDPOINT, 'claim_attempt', block, now, end);
  if (attempt) return attempt;
  throw new AgentError(
    `${CLAIM_ENDPOINT} (${answer.where}) answered without a usable claim_attempt: it must be present and of its type.`,
    { code: 'bad_answer' },
  );
}

/** A claim that is complete: an assertion, a token, or nothing where what the registration has reaches further. */
function decodeClaimed(answer: Answer, now: number): ClaimGrant {
  const members = readMembers(answer, CLAIM_ENDPOINT, claimedAnswer);
  const json = requireJson(answer, CLAIM_ENDPOINT);
  const identity = decodeIdentity(answer, CLAIM_ENDPOINT, json, now);
  const { access_token } = members;
  if (access_token === undefined) {
    return { ...identity, ...completedScopes(json), token: null, warnings: [] };
  }
  const { token, warnings } = readCollected(answer, CLAIM_ENDPOINT, now);
  return { ...identity, token, warnings };
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
      return { kind: 'claimed', grant: decodeClaimed(answer, now) };
    }
    const renewed = renewedToken(answer, CLAIM_ENDPOINT, requireJson(answer, CLAIM_ENDPOINT));
    return { kind: 'attempt', attempt: decodeStart(answer, now), ...renewed };
  },

  // Of no version: services that mail the code, or show it on their page, under either of its names.
  encodeCode: (url, claimToken, code) => {
    const claim_token = claimToken.reveal();
    return [
      jsonRequest(url, { claim_token, user_code: code.reveal() }),
      jsonRequest(url, { claim_token, otp: code.reveal() }),
    ];
  },
  decodeCode: decodeClaimed,

  encodeClaimPoll: (tokenEndpoint, claimGrantType, claimToken) =>
    formRequest(tokenEndpoint, {
      grant_type: claimGrantType,
      claim_token: claimToken.reveal(),
    }),
  decodeClaimPoll: (answer, now) => {
    const { token, warnings } = readCollected(answer, TOKEN_ENDPOINT, now);
    const json = requireJson(answer, TOKEN_ENDPOINT);
    const identity = decodeIdentity(answer, TOKEN_ENDPOINT, json, now);
    // Without an assertion nothing renews it: an API key, most likely.
    const isLast = identity.assertion === null;
    return { token: isLast ? { ...token, direct: true } : token, ...identity, warnings };
  },

  // `resource` binds the token to the one place where it is used (RFC 8707 §2): a resource that names
  // another service's authorization server gets no token of that server's.
  encodeExchange: (tokenEndpoint, resource, assertion) =>
    formRequest(tokenEndpoint, {
      grant_type: JWT_BEARER_GRANT,
      assertion: assertion.reveal(),
      resource,
    }),
  decodeExchange: decodeToken,

  encodeRevoke: (url, token) =>
    formRequest(url, { token: token.reveal(), token_type_hint: 'access_token' }),

  readProblem: readFlatProblem,
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
