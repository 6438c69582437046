import { displayText, isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import type { ClaimGrant, ClaimStart, RefreshGrant } from '../dialect.ts';
import { misspelt, readCollected } from '../flat/read-collected.ts';
import { completedScopes, renewedToken } from '../parts/claim-answer.ts';
import { CLAIM_DONE } from '../parts/claim-done.ts';
import { readCompletedCredential } from '../parts/direct-credential.ts';
import { readIdentity } from '../parts/read-identity.ts';
import { readAttempt } from './read-attempt.ts';
import { attemptIn } from './read-registration.ts';

const CLAIM_ENDPOINT = 'The claim endpoint';
const IDENTITY_ENDPOINT = 'The identity endpoint';
const TOKEN_ENDPOINT = 'The token endpoint';

/** An attempt; or what the claim gives, where it needed no user any more. */
export function readClaimStart(answer: Answer, now: number): ClaimStart {
  const json = requireJson(answer, CLAIM_ENDPOINT);
  if (json['status'] === 'claimed' || isJsonObject(json['identity'])) {
    return { kind: 'claimed', grant: readClaimed(answer, json, now) };
  }
  const { attempt, claim_attempt: flat, claim } = json;
  const inClaim = isJsonObject(claim) ? attemptIn(claim) : null;
  const block = [attempt, flat, inClaim].find(isJsonObject) ?? json;
  const renewed = renewedToken(answer, CLAIM_ENDPOINT, json);
  return { kind: 'attempt', attempt: readAttempt(answer, CLAIM_ENDPOINT, block, now), ...renewed };
}

/**
 * What a code gives, once.
 * @throws AgentError `bad_answer` for a success that calls itself none.
 */
export function readCompletion(answer: Answer, now: number): ClaimGrant {
  const json = requireJson(answer, CLAIM_ENDPOINT);
  const { status } = json;
  const grant = readClaimed(answer, json, now);
  const gives = grant.assertion !== null || grant.token !== null;
  if (!gives && typeof status === 'string' && !CLAIM_DONE.has(status)) {
    throw new AgentError(
      `${CLAIM_ENDPOINT} (${answer.where}) took the code, but calls the claim ${displayText(status, 40)}.`,
      { code: 'bad_answer' },
    );
  }
  return grant;
}

function readClaimed(answer: Answer, json: JsonObject, now: number): ClaimGrant {
  const identity = readIdentity(answer, CLAIM_ENDPOINT, json, now);
  const token =
    identity === undefined ? readCompletedCredential(answer, CLAIM_ENDPOINT, json, now) : null;
  return {
    assertion: identity?.assertion ?? null,
    token,
    ...completedScopes(json),
    ...(identity?.refresh && { refresh: identity.refresh }),
    warnings: token === null ? [] : misspelt(answer, CLAIM_ENDPOINT),
  };
}

/** What a poll of the claim grant gives: a token, and perhaps an identity beside it. */
export function readPolled(answer: Answer, now: number): ClaimGrant {
  const { token, warnings } = readCollected(answer, TOKEN_ENDPOINT, now);
  const json = requireJson(answer, TOKEN_ENDPOINT);
  const identity = readIdentity(answer, TOKEN_ENDPOINT, json, now);
  return {
    assertion: identity?.assertion ?? null,
    token,
    ...(identity?.refresh && { refresh: identity.refresh }),
    warnings,
  };
}

/** The assertion after the last, and the refresh token after the one that was sent. */
export function readRefreshed(answer: Answer, now: number): RefreshGrant {
  const json = requireJson(answer, IDENTITY_ENDPOINT);
  const identity = readIdentity(answer, IDENTITY_ENDPOINT, json, now);
  if (identity === undefined) {
    throw new AgentError(
      `${IDENTITY_ENDPOINT} (${answer.where}) answered to a refresh token without an identity.`,
      { code: 'bad_answer' },
    );
  }
  return { assertion: identity.assertion, refresh: identity.refresh ?? null };
}
