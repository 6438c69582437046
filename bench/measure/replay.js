import { startServer } from './child.js';

/**
 * A service that answers as our mock does, but computes nothing: our mock is asked once, and ends; its answers
 * are given again at the same URL.
 *
 * @param {string} dist
 * @param {number | undefined} core
 * @param {(origin: string) => Promise<void>} [meanwhile] what else the mock is needed for
 * @returns {Promise<import('./child.js').Child>}
 */
export async function replayService(dist, core, meanwhile = async () => {}) {
  const mock = await startServer('mock.js', { dist, role: 'service', port: 0 }, core);
  const { origin } = mock;
  const answers = await record(origin)
    .then(async (recorded) => {
      await meanwhile(origin);
      return recorded;
    })
    .finally(mock.close);
  return startServer('replay.js', { port: Number(new URL(origin).port), answers }, core);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What is sent to register, exchange and call, and what came back. @param {string} origin */
async function record(origin) {
  /** @type {import('../servers/replay.js').Recorded[]} */
  const answers = [];
  const send = async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(origin + path, init);
    const body = await response.text();
    const type = response.headers.get('content-type') ?? '';
    answers.push({ method: init.method ?? 'GET', path, status: response.status, type, body });
    return JSON.parse(body);
  };
  const post = (/** @type {string} */ path, /** @type {RequestInit} */ init) =>
    send(path, { ...init, method: 'POST' });
  await send('/.well-known/oauth-protected-resource');
  await send('/.well-known/oauth-authorization-server');
  const { identity_assertion: assertion } = await post('/agent/identity', {
    headers: JSON_TYPE,
    body: '{"type":"anonymous"}',
  });
  const form = new URLSearchParams({ grant_type: JWT_BEARER, assertion });
  const { access_token: token } = await post('/oauth2/token', { body: form });
  await send('/api/resource', { headers: { authorization: `Bearer ${token}` } });
  return answers;
}
