import { displayText, isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { type Answer, requireJson } from '../../http/answer.ts';
import type { ClaimGrant, ClaimStart } from '../dialect.ts';
import { misspelt } from '../flat/read-collected.ts';
import { completedScopes, renewedToken } from '../parts/claim-answer.ts';
import { CLAIM_DONE } from '../parts/claim-done.ts';
import { readCompletedCredential } from '../parts/direct-credential.ts';
import { readTime } from '../parts/read-time.ts';
import { readAttempt } from './read-attempt.ts';
import { readAssertion } from './read-registration.ts';

const CLAIM_ENDPOINT: string = 'The claim endpoint';
const TOKEN_ENDPOINT = 'The token endpoint';

/** An attempt whose code is in the mail; or one of a page, where the answer has a block that shows it. */
export function readClaimStart(answer: Answer, now: number): ClaimStart {
  const json = requireJson(answer, CLAIM_ENDPOINT);
  if (isDone(json)) return { kind: 'claimed', grant: readClaimed(answer, json, now) };
  const block = ['claim_attempt', 'attempt', 'claim'].map((name) => json[name]).find(isJsonObject);
  const end = { name: 'expires_at', value: json['expires_at'] };
  const otherwise = readTime(answer, CLAIM_ENDPOINT, end, now);
  const attempt = readAttempt(answer, CLAIM_ENDPOINT, block ?? json, now, otherwise);
  return { kind: 'attempt', attempt, ...renewedToken(answer, CLAIM_ENDPOINT, json) };
}

/**
 * What a code gives: a credential, an assertion, or nothing but the word that it is done, where what the
 * registration had before reaches further now.
 * @throws AgentError `bad_answer` for a success that says that it is none.
 */
export function readCompletion(answer: Answer, now: number): ClaimGrant {
  const json = requireJson(answer, CLAIM_ENDPOINT);
  const { status } = json;
  if (typeof status === 'string' && UNFINISHED.has(status)) {
    throw new AgentError(
      `${CLAIM_ENDPOINT} (${answer.where}) took the code, but calls the claim ${displayText(status, 40)}.`,
      { code: 'bad_answer' },
    );
  }
  return readClaimed(answer, json, now);
}

const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'initiated', 'denied', 'expired']);

function isDone({ status }: JsonObject): boolean {
  return CLAIM_DONE.has(status);
}

/**
 * What a poll gives: an API key that no exchange renews, where no assertion comes with it.
 * @throws AgentError `bad_answer` for neither.
 */
export function readCollected(answer: Answer, now: number): ClaimGrant {
  const json = requireJson(answer, TOKEN_ENDPOINT);
  const grant = readClaimed(answer, json, now, TOKEN_ENDPOINT);
  const { assertion, token } = grant;
  if (assertion === null && token === null) {
    throw new AgentError(
      `${TOKEN_ENDPOINT} (${answer.where}) answered without a credential or an assertion.`,
      { code: 'bad_answer' },
    );
  }
  if (assertion === null || token === null) return grant;
  const { direct: _, ...exchangeable } = token;
  return { ...grant, token: exchangeable };
}

function readClaimed(
  answer: Answer,
  json: JsonObject,
  now: number,
  who = CLAIM_ENDPOINT,
): ClaimGrant {
  const token = readCompletedCredential(answer, who, json, now);
  return {
    assertion: readAssertion(answer, who, json, now),
    token,
    ...completedScopes(json),
    warnings: token === null ? [] : misspelt(answer, who),
  };
}
