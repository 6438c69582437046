import { randomInt } from 'node:crypto';
import { type Handler, json, jsonBody, Refusal, text } from './http.ts';
import { isEmail } from './id-jag.ts';
import {
  type Attempt,
  hashOf,
  isSame,
  MINUTE,
  macOf,
  type Registration,
  SECOND,
  type State,
  secret,
} from './state.ts';

const CODE_LIVES = 10 * MINUTE;
const INTERVAL = 5;
const TRIES = 5;
export const TRIES_IN_ALL = 20;

/** What the user is shown of an attempt. */
export interface Attempted {
  readonly id: string;
  readonly code: string;
  readonly uri: string;
  readonly seconds: number;
  readonly ends: number;
  readonly interval: number;
}

/** Whether nothing can come of a registration any more. */
export function isClosed(state: State, { revoked, claimedAt, ends }: Registration): boolean {
  return revoked || (claimedAt === undefined && ends <= state.now());
}

/** Gives a registration its claim token, in place of an earlier one. */
export function startClaim(state: State, registration: Registration): string {
  const token = `clm_${secret()}`;
  if (registration.claimKey !== undefined) state.byClaim.delete(registration.claimKey);
  registration.claimKey = hashOf(token);
  state.byClaim.set(registration.claimKey, registration);
  return token;
}

/** Opens a new attempt; the one before ends. */
export function startAttempt(state: State, registration: Registration): Attempted {
  const token = `cat_${secret()}`;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const ends = Math.min(state.now() + CODE_LIVES, registration.ends);
  const key = hashOf(token);
  if (registration.attempt !== undefined) state.byAttempt.delete(registration.attempt.key);
  registration.attempt = {
    key,
    codeMac: macOf(state, `${key} ${code}`),
    ends,
    wrong: 0,
    denied: false,
    interval: INTERVAL,
    polled: undefined,
  };
  state.byAttempt.set(key, registration);
  const target = encodeURIComponent(`/claim?claim_attempt_token=${token}`);
  return {
    id: `cla_${key.slice(0, 22)}`,
    code,
    uri: `${state.origin}/login?return_to=${target}`,
    seconds: Math.floor((ends - state.now()) / SECOND),
    ends,
    interval: INTERVAL,
  };
}

export function shown({ code, uri, seconds, interval }: Attempted) {
  return { user_code: code, verification_uri: uri, expires_in: seconds, interval };
}

/** Whether an attempt can still be completed. */
export function isOpen(state: State, { denied, wrong, ends }: Attempt): boolean {
  return !denied && wrong < TRIES && ends > state.now();
}

export function isBurnt({ wrong }: Attempt): boolean {
  return wrong >= TRIES;
}

/** Counts a code that is wrong. Returns how many tries are left; `undefined` when it is right. */
export function tryCode(
  state: State,
  attempt: Attempt,
  typed: string,
  counts: readonly { wrong: number }[],
): number | undefined {
  const code = typed.replace(/[\s-]/g, '');
  const left = () => TRIES - Math.max(...counts.map(({ wrong }) => wrong));
  if (!/^\d{6}$/.test(code)) return left();
  if (isSame(macOf(state, `${attempt.key} ${code}`), attempt.codeMac)) return undefined;
  for (const count of counts) count.wrong += 1;
  return left();
}

export const claim: Handler = (call) => {
  const { state } = call;
  const body = jsonBody(call);
  const registration = state.byClaim.get(hashOf(text(body, 'claim_token')));
  const email = emailIn(body, registration?.email);
  if (registration === undefined) {
    throw new Refusal(
      401,
      'invalid_claim_token',
      'This claim token is not known.',
      {},
      {
        'www-authenticate': 'AgentAuth error="invalid_claim_token"',
      },
    );
  }
  if (isClosed(state, registration)) {
    throw new Refusal(410, 'claim_expired', 'The time to claim is over.');
  }
  if (registration.claimedAt !== undefined) {
    throw new Refusal(409, 'claimed_or_in_flight', 'It is claimed already.');
  }
  if (registration.kind !== 'anonymous' && email !== registration.email) {
    throw new Refusal(403, 'email_mismatch', 'It was begun for another email.');
  }
  if (registration.wrong >= TRIES_IN_ALL) {
    throw new Refusal(
      429,
      'too_many_attempts',
      'Too many wrong codes.',
      {},
      { 'retry-after': '3600' },
    );
  }
  registration.email = email;
  const attempted = startAttempt(state, registration);
  return json(200, {
    registration_id: registration.id,
    claim_attempt_id: attempted.id,
    status: 'initiated',
    expires_at: new Date(attempted.ends).toISOString(),
    claim_attempt: shown(attempted),
  });
};

function emailIn(body: Readonly<Record<string, unknown>>, known: string | undefined): string {
  const names = ['email', 'login_hint'].filter((name) => Object.hasOwn(body, name));
  const given = new Set(names.map((name) => text(body, name).toLowerCase()));
  if (given.size > 1) throw new Refusal(400, 'invalid_request', 'Two emails are given.');
  const email = [...given][0] ?? known;
  if (email === undefined) throw new Refusal(400, 'invalid_request', 'email is missing.');
  if (!isEmail(email)) throw new Refusal(400, 'invalid_request', 'email is not an email address.');
  return email;
}
