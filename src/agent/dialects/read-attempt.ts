import {
  anyInterval,
  claimBlock,
  claimStarted,
  DAY,
  isJsonObject,
  type JsonObject,
  MINUTE,
  serviceAuthRegistration,
} from '../../protocol/index.ts';
import { readCeremony } from '../http/read-ceremony.ts';
import { readMembers } from '../http/read-members.ts';
import { requirePage } from '../http/url-policy.ts';
import type { ClaimAttempt, DialectId } from '../model.ts';
import { firstText, lenientTime, type Reading } from './reading.ts';

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
export function isAttempt(given: JsonObject): boolean {
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
