// Somebody's own program for `--user command`: reads the task, signs in at the mock, types the code.
import { text } from 'node:stream/consumers';

const task = JSON.parse(await text(process.stdin));
let cookie = '';

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<string>}
 */
async function send(url, init = {}) {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { cookie, origin: new URL(url).origin },
  });
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  const location = answer.headers.get('location');
  return location === null ? answer.text() : send(new URL(location, url).href);
}

/**
 * @param {string} path
 * @param {Readonly<Record<string, string>>} fields
 */
function post(path, fields) {
  const url = new URL(path, task.verification_uri).href;
  return send(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** @param {string} page */
const hidden = (page) =>
  Object.fromEntries(
    [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((match) => [
      String(match[1]),
      String(match[2]),
    ]),
  );

const signIn = await send(task.verification_uri);
const claim = await post('/login', { ...hidden(signIn), email: task.email });
await post('/agent/identity/claim/complete', {
  ...hidden(claim),
  user_code: task.user_code,
  decision: task.decision,
});
