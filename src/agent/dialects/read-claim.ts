import {
  anyInterval,
  claimBlock,
  claimStarted,
  DAY,
  displayText,
  isJsonObject,
  type JsonObject,
  MINUTE,
  serviceAuthRegistration,
} from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { Answer } from '../http/answer.ts';
import { readCeremony, readMembers, readSecret } from '../http/read-members.ts';
import { requirePage } from '../http/url-policy.ts';
import type { AccessToken, ClaimAttempt, DialectId, Warning } from '../model.ts';
import type { ClaimGrant, ClaimStart } from './dialect.ts';
import { noTokenType, readCredential } from './read-credential.ts';
import {
  badAnswer,
  firstText,
  type Identity,
  lenientTime,
  type Reading,
  readIdentity,
  readingOf,
  readNames,
} from './reading.ts';

/** A block with a code that the user types, in the place where its errors are shown. */
const block = claimBlock.partial({ expires_in: true }).extend({ interval: anyInterval });
const CODE_BLOCK = {
  claim: serviceAuthRegistration.pick({ claim: true }).extend({ claim: block }),
  claim_attempt: claimStarted.pick({ claim_attempt: true }).extend({ claim_attempt: block }),
} as const;

/**
 * How long a code that is read back is waited for where nothing says it: as long as the reference keeps a claim
 * open, or in the reconciled version the link of its page.
 */
const WINDOWS = { flat: DAY, first: DAY, nested: 10 * MINUTE } as const;

/** Names of the page; the first is RFC 8628's. */
const PAGES = ['verification_uri', 'verification_url'] as const;
/** Members that name where a code is handed in; of no version, services that name the place write one of these. */
const SUBMIT_URLS = ['complete_url', 'complete_uri'] as const;
const TIMES = ['expires_in', 'expires_at', 'interval'] as const;

/** Where an attempt was found, and what the answer says of it beside its block. */
interface Place {
  readonly dialect: DialectId;
  readonly member: keyof typeof CODE_BLOCK;
  /** When it ends, where its block does not say. */
  readonly end: unknown;
}

/**
 * An attempt. Its block alone decides which way the code goes, never a version: one that it shows is for the user
 * to type; without one the page shows it, and without a page it comes by mail.
 *
 * `verification_uri_complete` (RFC 8628 §3.3.1) has the code in its query. It is neither opened nor kept: a
 * program that opens a page gets its URL as an argument, which every user of the machine can read, and a code
 * that the user compares and types is what keeps a stranger's link from being confirmed (RFC 8628 §5.4).
 */
export function readAttempt(
  reading: Reading,
  given: JsonObject,
  { dialect, member, end }: Place,
): ClaimAttempt {
  const { answer, who, now } = reading;
  const page = pageOf(given);
  // It is new, so an end in the past comes from a clock that is wrong: the default counts.
  const expiresAt = [given['expires_in'], given['expires_at'], end]
    .map((time) => lenientTime(time, now))
    .find((time) => time !== undefined && time > now);
  const { user_code, interval } = given;
  if (dialect === 'flat' && user_code !== undefined && user_code !== null) {
    const json = { [member]: { ...given, verification_uri: page } };
    readMembers<unknown>({ ...answer, body: { ok: true, json } }, who, CODE_BLOCK[member]);
  }
  if (typeof user_code === 'string' && typeof page === 'string') {
    const members = {
      user_code,
      verification_uri: page,
      interval: typeof interval === 'number' && interval > 0 ? interval : undefined,
    };
    const ceremony = readCeremony(answer, who, members, now, expiresAt);
    return { kind: 'type_there', ...ceremony, ended: null };
  }
  return {
    kind: 'read_back',
    verificationUri: typeof page === 'string' ? requirePage(page, 'The verification_uri') : null,
    submitUrl: submitUrlIn(given) ?? null,
    expiresAt: expiresAt ?? now + WINDOWS[dialect],
    ended: null,
  };
}

function submitUrlIn(given: JsonObject): string | undefined {
  return firstText(...SUBMIT_URLS.map((name) => given[name]));
}

/** Whether a block has a member by which there is an attempt. */
function isAttempt(given: JsonObject): boolean {
  return isShown(given) || TIMES.some((name) => (given[name] ?? undefined) !== undefined);
}

function isShown(given: JsonObject): boolean {
  const values = [given['user_code'] ?? undefined, pageOf(given), submitUrlIn(given)];
  return values.some((value) => value !== undefined);
}

/**
 * The object of a claim in which its attempt is, if any: its own; or the claim itself, where times beside a token are
 * those of the token.
 */
export function attemptBlock(claim: unknown): JsonObject | undefined {
  if (!isJsonObject(claim)) return undefined;
  if (isJsonObject(claim['attempt'])) return claim['attempt'];
  if (claim['token'] === undefined) return isAttempt(claim) ? claim : undefined;
  const { expires_at: _, ...rest } = claim;
  return isShown(rest) ? rest : undefined;
}

/** The page without the code, where the answer has only the one with it. */
function pageOf(given: JsonObject): unknown {
  const named = PAGES.map((name) => given[name] ?? undefined).find((page) => page !== undefined);
  const complete = given['verification_uri_complete'];
  if (named !== undefined || typeof complete !== 'string' || !URL.canParse(complete)) return named;
  const url = new URL(complete);
  url.search = '';
  url.hash = '';
  return url.href;
}

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
