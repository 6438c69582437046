import { SECOND } from '../../protocol/index.ts';
import { type Answer, isObject } from '../http/answer.ts';
import { openJwt } from '../jwt/open.ts';

/** A claim attempt, wherever a service puts it. */
export interface ClaimBlock {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds; undefined when the service does not say. */
  readonly expiresIn: number | undefined;
  readonly interval: number | undefined;
  /** The member with it; empty: the answer itself. */
  readonly at: string;
}

/**
 * The claim attempt of an answer. The specification names its two members and, for the claim endpoint,
 * not where they are: `claim_attempt`, `claim` or the answer itself are all read.
 */
export function readClaimBlock(answer: Answer): ClaimBlock | undefined {
  for (const at of ['claim', 'claim_attempt', '']) {
    const block = at === '' ? answer.json : answer.member(at);
    if (!isObject(block)) continue;
    const { user_code: userCode, verification_uri: verificationUri } = block;
    if (typeof userCode !== 'string' || typeof verificationUri !== 'string') continue;
    return {
      userCode,
      verificationUri,
      expiresIn: secondsLeft(block, dateOf(answer)),
      interval: seconds(block['interval']),
      at,
    };
  }
  return undefined;
}

/** The service's own time, when it says it. */
function dateOf(answer: Answer): number | undefined {
  const date = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Numbers below are seconds that are left, those above milliseconds since the epoch. */
const FIRST_INSTANT = 1e9;
const FIRST_IN_MS = 1e11;

/**
 * When something ends, in milliseconds since the epoch, by whatever name and form a service says it:
 * `NAME` or `NAME_at` as an instant, `NAME_in` as seconds; else as the token itself says, being a JWT.
 * @param name Of the specification: `claim_token_expires`.
 */
export function toldEnd(
  answer: Answer,
  name: string,
  { now, token }: { readonly now: number; readonly token?: string | undefined },
): number | undefined {
  const told = [name, `${name}_at`, `${name}_in`].map((each) =>
    instantOf(answer.member(each), now),
  );
  const exp = token === undefined ? undefined : openJwt(token)?.claims['exp'];
  return told.find((end) => end !== undefined) ?? instantOf(exp, now);
}

/** Seconds that are left, by `expires_in` or an instant beside it; undefined when nobody says it. */
export function secondsLeft(
  block: Readonly<Record<string, unknown>>,
  now: number | undefined,
): number | undefined {
  const { expires, expires_at: expiresAt, expires_in: expiresIn } = block;
  if (typeof expiresIn === 'number' && Number.isFinite(expiresIn)) return expiresIn;
  if (now === undefined) return undefined;
  const end = instantOf(expiresAt ?? expires, now);
  return end === undefined ? undefined : Math.round((end - now) / SECOND);
}

function instantOf(value: unknown, now: number): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) {
    if (number < FIRST_INSTANT) return now + number * SECOND;
    return number < FIRST_IN_MS ? number * SECOND : number;
  }
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
