// 1,000 times register, exchange and call, 32 at a time, by the agent of this library, by bare undici or by bare
// `fetch`. Prints the seconds that it took. Arguments: `agent`, `undici` or `fetch`, the origin of the service, the
// built project.
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';

const [side, origin = '', dist = ''] = process.argv.slice(2);
const TIMES = 1_000;
const WARM_UP = 200;
const AT_ONCE = 32;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const work = side === 'agent' ? await byAgent() : bare(side === 'fetch' ? byFetch : byUndici());
await inParallel(WARM_UP);
const start = performance.now();
await inParallel(TIMES);
process.stdout.write(`${(performance.now() - start) / 1000}\n`);
process.exit(0);

/** Each time another agent, with a store of its own; what the service is was discovered once. */
async function byAgent() {
  /** @type {typeof import('../../src/kits/node.ts')} */
  const { Agent, createMemoryStore } = await import(pathToFileURL(`${dist}/kits/node.js`).href);
  const newAgent = () => new Agent({ store: createMemoryStore() });
  const service = await newAgent().discover({ address: origin });
  return async () => {
    const agent = newAgent();
    const { status } = await agent.register({ service, type: 'anonymous' });
    if (status !== 'registered') throw new Error(`It is ${status}.`);
    const { response } = await agent.call('/api/resource');
    await response.json();
  };
}

/**
 * @typedef {object} Sent
 * @property {'GET' | 'POST'} method
 * @property {Record<string, string>} headers
 * @property {string} [body]
 *
 * The same three requests, and what their answers say.
 * @param {(path: string, sent: Sent) => Promise<unknown>} send resolves to the body, read as JSON
 */
function bare(send) {
  const post = async (
    /** @type {string} */ path,
    /** @type {string} */ body,
    /** @type {Record<string, string>} */ headers,
  ) => /** @type {Record<string, string>} */ (await send(path, { method: 'POST', headers, body }));
  return async () => {
    const made = await post('/agent/identity', '{"type":"anonymous"}', JSON_TYPE);
    const assertion = String(made['identity_assertion']);
    const form = new URLSearchParams({ grant_type: JWT_BEARER, assertion });
    const { access_token: token } = await post('/oauth2/token', `${form}`, FORM_TYPE);
    await send('/api/resource', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
  };
}

function byUndici() {
  const pool = new Pool(origin, { connections: AT_ONCE });
  return async (/** @type {string} */ path, /** @type {Sent} */ sent) => {
    const { body } = await pool.request({ path, ...sent });
    return body.json();
  };
}

/** @param {string} path @param {Sent} sent */
async function byFetch(path, sent) {
  return (await fetch(origin + path, sent)).json();
}

/** @param {number} times */
async function inParallel(times) {
  let left = times;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
