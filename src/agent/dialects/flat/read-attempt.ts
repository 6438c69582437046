import { DAY, isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import type { Answer } from '../../http/answer.ts';
import { readCeremony } from '../../http/read-ceremony.ts';
import { readMembers } from '../../http/read-members.ts';
import type { ClaimAttempt } from '../../model.ts';
import { readBackAttempt, submitUrlIn } from '../parts/read-back.ts';
import { lenientTime } from '../parts/read-time.ts';
import { codeBlock } from './answers.ts';

/** How long a code that is read back is waited for where nothing says it. */
const MAIL_WINDOW = DAY;

/** Names of the page; the first is RFC 8628's. */
const PAGES = ['verification_uri', 'verification_url'] as const;
const TIMES = ['expires_in', 'expires_at', 'interval'] as const;
const COMPLETE = 'verification_uri_complete';

/**
 * An attempt. Its block alone decides which way the code goes, never a version: one that it shows is for the user
 * to type; without one the page shows it, and without a page it comes by mail. `null`: there is no attempt in it.
 *
 * `verification_uri_complete` (RFC 8628 §3.3.1) has the code in its query. It is neither opened nor kept: a
 * program that opens a page gets its URL as an argument, which every user of the machine can read, and a code
 * that the user compares and types is what keeps a stranger's link from being confirmed (RFC 8628 §5.4).
 * @param end where the answer says it beside the block (RFC 3339).
 */
export function readAttempt(
  answer: Answer,
  who: string,
  place: keyof typeof codeBlock,
  block: JsonObject,
  now: number,
  end?: unknown,
): ClaimAttempt | null {
  const page = pageOf(block);
  const ends = lenientTime(block['expires_at'], now) ?? lenientTime(end, now);
  if (block['user_code'] !== undefined && block['user_code'] !== null) {
    const json = { [place]: { ...block, verification_uri: page } };
    const mended: Answer = { ...answer, body: { ok: true, json } };
    const members =
      place === 'claim'
        ? readMembers(mended, who, codeBlock.claim).claim
        : readMembers(mended, who, codeBlock.claim_attempt).claim_attempt;
    const time = ends === undefined ? undefined : new Date(ends).toISOString();
    return { kind: 'type_there', ...readCeremony(answer, who, members, now, time), ended: null };
  }
  const isAttempt = [page, submitUrlIn(block), ...TIMES.map((name) => block[name])].some(
    (value) => value !== undefined && value !== null,
  );
  if (!isAttempt) return null;
  const span = lenientTime(block['expires_in'], now);
  const expiresAt = [span, ends].find((time) => time !== undefined && time > now);
  const shown = page === undefined ? undefined : String(page);
  return readBackAttempt(block, shown, expiresAt ?? now + MAIL_WINDOW);
}

/** The object of a claim in which its attempt is, if any: one that mixes families has it one deeper. */
export function attemptBlock(claim: unknown): JsonObject | undefined {
  if (!isJsonObject(claim)) return undefined;
  const { attempt } = claim;
  if (isJsonObject(attempt)) return attempt;
  // `claim.expires_at` beside a token is the end of that token.
  if (claim['token'] === undefined) return claim;
  const { expires_at: _, ...rest } = claim;
  return rest;
}

/** The page without the code, where the answer has only the one with it. */
function pageOf(block: JsonObject): unknown {
  const named = PAGES.map((name) => block[name]).find(
    (page) => page !== undefined && page !== null,
  );
  const complete = block[COMPLETE];
  if (named !== undefined || typeof complete !== 'string' || !URL.canParse(complete)) return named;
  const url = new URL(complete);
  url.search = '';
  url.hash = '';
  return url.href;
}
