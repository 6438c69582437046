// 1,000 times register, exchange and call, 32 at a time, by the agent of this library or by bare undici. Prints the
// seconds that it took. Arguments: `agent` or `bare`, the origin of the service, the built project.
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';

const [side, origin = '', dist = ''] = process.argv.slice(2);
const TIMES = 1_000;
const WARM_UP = 200;
const AT_ONCE = 32;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const work = side === 'agent' ? await byAgent() : byUndici();
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

function byUndici() {
  const pool = new Pool(origin, { connections: AT_ONCE });
  const post = async (
    /** @type {string} */ path,
    /** @type {string} */ body,
    /** @type {Record<string, string>} */ headers,
  ) => {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    return /** @type {Promise<Record<string, string>>} */ (answer.body.json());
  };
  return async () => {
    const made = await post('/agent/identity', '{"type":"anonymous"}', JSON_TYPE);
    const assertion = String(made['identity_assertion']);
    const form = new URLSearchParams({ grant_type: JWT_BEARER, assertion });
    const { access_token: token } = await post('/oauth2/token', `${form}`, FORM_TYPE);
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await pool.request({ method: 'GET', path: '/api/resource', headers });
    await body.json();
  };
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
