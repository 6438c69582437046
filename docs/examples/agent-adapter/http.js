// What the agent sends, and how it reads answers.

const LARGEST = 1024 * 1024;
const TIMEOUT = 20_000;
const LONGEST_PAUSE = 60_000;
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

/** @typedef {{ status: number, headers: Headers, text: string, json: any }} Answer */

/** An answer that says no, with its code. */
export class Refusal extends Error {
  /** @param {Answer} answer */
  constructor({ status, json }) {
    const text = json?.error_description ?? json?.message ?? json?.description ?? json?.error?.message;
    const code = codeOf(json);
    super(`${status} ${code}${typeof text === 'string' ? `: ${text}` : ''}`);
    this.code = code;
    this.status = status;
    this.json = json;
  }
}

/** @param {any} json */
export function codeOf(json) {
  const found = [json?.error, json?.error?.code, json?.err].find((code) => typeof code === 'string');
  return found ?? '';
}

/** https, or plain http on this machine. @param {unknown} url */
export function requireUrl(url) {
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('This is not a URL.');
  const { protocol, hostname, username, password } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL.includes(hostname));
  if (!isSafe) throw new Error(`${url} is not https.`);
  if (username !== '' || password !== '') throw new Error(`${url} names a user.`);
  return url;
}

/** One request. No redirect is followed. @param {unknown} url @param {RequestInit} init @returns {Promise<Answer>} */
export async function ask(url, init = {}) {
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(requireUrl(url), { ...init, redirect: 'manual', signal });
  const chunks = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LARGEST) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** @param {unknown} url @param {object} body */
export function postJson(url, body) {
  const headers = { 'content-type': 'application/json' };
  return ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** @param {unknown} url @param {Record<string, string>} form */
export function postForm(url, form) {
  return ask(url, { method: 'POST', body: new URLSearchParams(form) });
}

/** Up to three times, where the server is busy or broken. @param {() => Promise<Answer>} send */
export async function patiently(send) {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    const pause = pauseOf(answer, 500 * 2 ** tries);
    const isBusy = answer.status >= 500 || answer.status === 429;
    if (!isBusy || tries === 3 || pause > LONGEST_PAUSE) return answer;
    await sleep(pause);
  }
}

/** At least as long as `Retry-After` says. @param {Answer} answer @param {number} usual milliseconds */
export function pauseOf({ headers }, usual) {
  return Math.max(usual, (Number(headers.get('retry-after')) || 0) * 1000);
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The object in a text; undefined where it is none. @param {string} text */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
