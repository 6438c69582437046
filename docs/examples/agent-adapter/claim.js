// The claim: what its user is shown, and the polls until they have acted.
import { spawn } from 'node:child_process';
import { codeOf, pauseOf, postForm, Refusal, sleep } from './http.js';

/** @typedef {{ code: string, page: string, interval: number, until: number }} Attempt */
/** @typedef {{ say: (text: string) => void, warn: (text: string) => void }} Screen */

const LONGEST = 60;

/** What an answer says of an attempt, its times bounded. @param {any} block @returns {Attempt} */
export function readAttempt(block) {
  const { user_code, verification_uri, interval, expires_in } = block ?? {};
  if (typeof verification_uri !== 'string' || !URL.canParse(verification_uri))
    throw new Error('The page of the claim is not a URL.');
  const { protocol, href } = new URL(verification_uri);
  if (!/^https?:$/.test(protocol)) throw new Error('The page of the claim is not a web page.');
  const seconds = Math.min(Math.max(Number(interval ?? 5) || 5, 1), LONGEST);
  const left = Math.min(Math.max(Number(expires_in ?? 600) || 0, 0), 3600);
  return {
    code: String(user_code),
    page: href,
    interval: seconds * 1000,
    until: Date.now() + left * 1000,
  };
}

/** @param {Attempt} attempt @param {string} issuer @param {Screen} screen @param {boolean} opens */
export function showAttempt({ code, page }, issuer, screen, opens) {
  const { origin, username } = new URL(page);
  const isOwn = origin === new URL(issuer).origin && username === '';
  screen.say(`Go to ${page} and type the code ${code}`);
  if (!isOwn) screen.warn(`This page is not one of ${issuer}: be careful.`);
  // No shell, and nothing that could be an option.
  else if (opens) spawn(process.env['BROWSER'] ?? 'xdg-open', [page], { stdio: 'ignore' }).unref();
}

/**
 * Polls to the end of an attempt.
 * @param {Attempt} attempt
 * @param {() => Promise<import('./http.js').Answer>} poll
 * @returns {Promise<any>} the answer of the completed claim; undefined when the attempt has expired
 */
export async function pollClaim(attempt, poll) {
  let { interval } = attempt;
  for (let pause = interval; Date.now() + pause < attempt.until; ) {
    await sleep(pause);
    pause = interval;
    let answer;
    try {
      answer = await poll();
    } catch {
      // A lost poll is followed by a later one (RFC 8628 §3.5).
      pause = Math.min(interval * 3, LONGEST * 1000);
      continue;
    }
    if (answer.status === 200) return answer.json;
    const code = codeOf(answer.json);
    if (code === 'slow_down') {
      interval += 5000;
      pause = interval;
    } else if (answer.status === 503 || answer.status === 429) {
      pause = pauseOf(answer, interval);
    } else if (code === 'expired_token') return undefined;
    else if (code !== 'authorization_pending') throw new Refusal(answer);
  }
  return undefined;
}

/** One poll. @param {{ token: string, claimGrant: string }} service @param {string} claimToken */
export function pollOnce({ token, claimGrant }, claimToken) {
  return postForm(token, { grant_type: claimGrant, claim_token: claimToken });
}
