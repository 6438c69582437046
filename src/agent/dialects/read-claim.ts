import { displayText, isJsonObject } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { Answer } from '../http/answer.ts';
import { readSecret } from '../http/read-members.ts';
import type { AccessToken, DialectId, Warning } from '../model.ts';
import type { ClaimGrant, ClaimStart } from './dialect.ts';
import { attemptBlock, isAttempt, readAttempt } from './read-attempt.ts';
import { readCredential } from './read-credential.ts';
import { noTokenType } from './read-exchange.ts';
import {
  badAnswer,
  type Identity,
  type Reading,
  readIdentity,
  readingOf,
  readNames,
} from './reading.ts';

const CLAIM_ENDPOINT = 'The claim endpoint';

/** The `status` of a claim that is complete: `claimed` is the reference's, services write the others. */
const DONE: ReadonlySet<unknown> = new Set(['claimed', 'completed', 'complete', 'verified']);
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'initiated', 'denied', 'expired']);

/** An attempt; or what the claim gives, where it needs no user any more: an ID-JAG claims without a code. */
export function readClaimStart(dialect: DialectId, answer: Answer): ClaimStart {
  const reading = readingOf(answer, CLAIM_ENDPOINT);
  const { json } = reading;
  const { attempt, claim, claim_attempt, identity, status } = json;
  if (DONE.has(status) || isJsonObject(identity)) {
    return { kind: 'claimed', grant: readClaimed(reading) };
  }
  // One service writes the members of its block beside the others.
  const own = isJsonObject(attempt) ? attempt : undefined;
  const block = claim_attempt ?? own ?? attemptBlock(claim) ?? json;
  if (!isJsonObject(block) || (dialect === 'flat' && !isAttempt(block))) {
    throw badAnswer(reading, 'without a usable claim_attempt: it must be present and of its type');
  }
  const place = { dialect, member: 'claim_attempt', end: json['expires_at'] } as const;
  return { kind: 'attempt', attempt: readAttempt(reading, block, place), ...renewedToken(reading) };
}

/** The claim token in place of the one that was sent, where there is one. */
function renewedToken({ answer, who, json }: Reading): { readonly claimToken?: Secret } {
  const { claim, claim_token } = json;
  const value = claim_token ?? (isJsonObject(claim) ? claim['token'] : undefined);
  return typeof value === 'string'
    ? { claimToken: readSecret(answer, who, 'claim_token', value) }
    : {};
}

/**
 * What a code gives, once: a credential, an assertion, or nothing but the word that it is done, where what the
 * registration had before reaches further now.
 * @throws AgentError `bad_answer` for a success that says that it is none.
 */
export function readCompletion(answer: Answer): ClaimGrant {
  const reading = readingOf(answer, CLAIM_ENDPOINT);
  const { status } = reading.json;
  const grant = readClaimed(reading);
  const isUnfinished = typeof status === 'string' && UNFINISHED.has(status);
  if (!isUnfinished || grant.assertion !== null || grant.token !== null) return grant;
  throw badAnswer(reading, `that it took the code, but calls the claim ${displayText(status, 40)}`);
}

/**
 * What a poll of a completed claim gives: a token (RFC 6749 §5.1); in the first versions an assertion may do.
 * @throws AgentError `bad_answer` for neither.
 */
export function readPolled(dialect: DialectId, answer: Answer): ClaimGrant {
  const reading = readingOf(answer, 'The token endpoint');
  const grant = readClaimed(reading);
  const isLess = dialect === 'first' && grant.assertion !== null;
  if (grant.token !== null || isLess) return grant;
  throw badAnswer(reading, 'without a usable access_token or credential');
}

/** The assertion after the last, and the refresh token after the one that was sent. */
export function readRefreshed(answer: Answer): Identity {
  const reading = readingOf(answer, 'The identity endpoint');
  const identity = readIdentity(reading);
  if (identity === undefined) throw badAnswer(reading, 'to a refresh token without an identity');
  return identity;
}

function readClaimed(reading: Reading): ClaimGrant {
  const { assertion = null, ...refresh } = readIdentity(reading) ?? {};
  const given = readCredential(reading, true);
  const { scope, scopes } = reading.json;
  const reached = readNames(scopes) ?? readNames(scope);
  return {
    assertion,
    ...refresh,
    token: given && assertion !== null ? exchangeable(given) : given,
    ...(reached !== null && { scopes: reached }),
    warnings: given === null ? [] : oddities(reading),
  };
}

/** A token that the assertion beside it renews. Without one nothing does: it is an API key, most likely. */
function exchangeable({ direct: _, ...token }: AccessToken): AccessToken {
  return token;
}

/** What RFC 6749 §5.1 spells otherwise in the token of a completed claim, which is given once. */
function oddities({ answer, who, json }: Reading): readonly Warning[] {
  const { access_token, expires_in: span, scope, token_type } = json;
  const isSpan = span === undefined || (Number.isInteger(span) && Number(span) > 0);
  const odd = [
    ...(isSpan ? [] : ['expires_in']),
    ...(scope === undefined || typeof scope === 'string' ? [] : ['scope']),
  ];
  const isUntyped = access_token !== undefined && token_type === undefined;
  return [
    ...(isUntyped ? [noTokenType(answer, who)] : []),
    ...odd.map((name) => ({
      code: 'token_member_type' as const,
      message: `${who} (${answer.where}) answered with another type of ${name} than it has (RFC 6749 §5.1); it is used as far as it can be read.`,
    })),
  ];
}
