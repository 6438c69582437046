// How many of each the mock service answers in a second, on this machine: called directly, and over
// loopback HTTP; in memory, and on a file. It measures and judges nothing. `npm run bench`, built first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callService, serveService } from './support.js';

const SECONDS = 1;

/** @typedef {import('./support.js').Send} Send */

/** @type {Record<string, (send: Send) => Promise<() => Promise<Response>>>} */
const CASES = {
  'server metadata': async (send) => () => send('/.well-known/oauth-authorization-server'),
  'anonymous registration': async (send) => () => register(send),
  'jwt-bearer exchange': async (send) => {
    const { identity_assertion: assertion } = await members(register(send));
    return () => exchange(send, assertion);
  },
  'resource call': async (send) => {
    const { identity_assertion: assertion } = await members(register(send));
    const { access_token: token } = await members(exchange(send, assertion));
    return () => send('/api/resource', { headers: { authorization: `Bearer ${token}` } });
  },
  'claim poll, pending': async (send) => {
    const { claim_token: token } = await members(register(send));
    const grant = 'urn:vendor:agent-auth:grant-type:claim';
    const body = new URLSearchParams({ grant_type: grant, claim_token: String(token) });
    return () => send('/oauth2/token', { method: 'POST', body });
  },
};

/** @param {Send} send */
function register(send) {
  const headers = { 'content-type': 'application/json' };
  return send('/agent/identity', { method: 'POST', headers, body: '{"type":"anonymous"}' });
}

/**
 * @param {Send} send
 * @param {string | undefined} assertion
 */
function exchange(send, assertion) {
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const body = new URLSearchParams({ grant_type: grant, assertion: String(assertion) });
  return send('/oauth2/token', { method: 'POST', body });
}

/**
 * @param {Promise<Response>} response
 * @returns {Promise<Record<string, string>>}
 */
async function members(response) {
  return /** @type {Promise<Record<string, string>>} */ ((await response).json());
}

/**
 * @param {() => Promise<Response>} once
 * @returns {Promise<number>} answers in a second
 */
async function rate(once) {
  for (let warm = 0; warm < 50; warm += 1) await (await once()).text();
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < SECONDS * 1000) {
    await (await once()).text();
    count += 1;
  }
  return Math.round((count * 1000) / (performance.now() - start));
}

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
/** @type {[string, () => Promise<import('./support.js').Opened>][]} */
const SETTINGS = [
  ['called, in memory', () => callService(undefined)],
  ['called, on a file', () => callService(join(folder, 'called.db'))],
  ['over HTTP, in memory', () => serveService(undefined)],
  ['over HTTP, on a file', () => serveService(join(folder, 'served.db'))],
];

process.stdout.write(`node ${process.version}, one request at a time, answers a second\n\n`);
process.stdout.write(`${''.padEnd(24)}${SETTINGS.map(([name]) => name.padStart(22)).join('')}\n`);
try {
  for (const [name, prepare] of Object.entries(CASES)) {
    process.stdout.write(name.padEnd(24));
    for (const [, open] of SETTINGS) {
      const { send, close } = await open();
      const perSecond = await rate(await prepare(send));
      process.stdout.write(perSecond.toLocaleString('en').padStart(22));
      await close();
    }
    process.stdout.write('\n');
  }
} finally {
  rmSync(folder, { recursive: true });
}
