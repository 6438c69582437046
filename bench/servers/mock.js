// A mock, served as the program serves it: the controls on, a silent log.
import { createWriteStream } from 'node:fs';
import { devNull } from 'node:os';
import { pathToFileURL } from 'node:url';
import { serveUntilEnd } from './until-end.js';

/**
 * @typedef {object} MockSettings
 * @property {string} dist the built project
 * @property {'service' | 'provider'} role
 * @property {number} port 0: any
 * @property {string} [issuer] another base URL than its own, for a replica
 * @property {string} [file] Default: in memory
 * @property {string} [url] of a PostgreSQL database
 * @property {object} [options] of the mock
 * @property {{ issuer: string, jwks: object }} [trust] a provider, and its keys
 * @property {boolean} [log] writes a line of JSON for each entry to a file that keeps nothing
 */

/** @type {MockSettings} */
const settings = JSON.parse(process.argv[2] ?? '{}');

/** @param {string} door */
const load = (door) => import(pathToFileURL(`${settings.dist}/${door}.js`).href);

/** @type {typeof import('agent-auth/mock-service')} */
const { createMockService, openDatabase, serve } = await load('kits/mock-service');
/** @type {typeof import('agent-auth/mock-provider')} */
const { createMockProvider } = await load('kits/mock-provider');
/** @type {typeof import('agent-auth/runtime')} */
const { silentLog } = await load('runtime/index');

const log = settings.log === true ? writtenLog() : silentLog;
const db = await openDatabase({
  ...(settings.file !== undefined && { file: settings.file }),
  ...(settings.url !== undefined && { address: settings.url }),
});
const { trust } = settings;
const served = await serve({
  host: '127.0.0.1',
  port: settings.port,
  log,
  build: async (origin) => {
    const options = {
      baseUrl: settings.issuer ?? origin,
      db,
      log,
      control: { token: 'for-the-bench-and-nobody-else' },
      // Nothing is fetched over a network: the provider's keys are given.
      fetch: async () => Response.json(trust?.jwks ?? {}),
      ...settings.options,
    };
    if (settings.role === 'provider') {
      return (await createMockProvider({ ...options, audiences: 'any' })).fetch;
    }
    const trusted = trust === undefined ? [] : [trustEntry(trust.issuer)];
    return (await createMockService({ ...options, trust: trusted })).fetch;
  },
});
serveUntilEnd(served.origin, async () => {
  await served.close();
  await db.close();
});

/** @param {string} issuer */
function trustEntry(issuer) {
  return { issuer, jwksUri: `${issuer}/.well-known/jwks.json` };
}

/** @returns {import('agent-auth/runtime').Log} */
function writtenLog() {
  const file = createWriteStream(devNull);
  const write =
    (/** @type {string} */ level) =>
    (/** @type {string} */ event, fields = {}) => {
      file.write(`${JSON.stringify({ level, event, ...fields })}\n`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn') };
}
